/** An audio file that can be read at any place. */
export interface AudioSource {
  readonly size: number
  /** The bytes from `start` to `end`, or to where the file ends. */
  slice(start: number, end: number): Promise<Uint8Array>
}

export type AudioCodec = 'mp3' | 'aac' | 'opus' | 'vorbis'

/** Length that a container states of itself. */
export interface StatedDuration {
  readonly seconds: number
  /** Bytes of sound in `codec`; unknown where the file may contain video, or uncompressed sound. */
  readonly bytes: number
  readonly codec?: AudioCodec
}

/** Reads as much of a recording as a head takes. */
export async function bytesAt(source: AudioSource, start: number, length: number): Promise<Buffer> {
  const bytes = await source.slice(start, start + length)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
