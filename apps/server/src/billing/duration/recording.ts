/** An audio file that can be read at any place. */
export interface Recording {
  readonly size: number
  /** The bytes from `start` to `end`, or to where the file ends. */
  slice(start: number, end: number): Promise<Uint8Array>
}

/** As much of a recording as a head takes. */
export async function bytesAt(recording: Recording, start: number, length: number): Promise<Buffer> {
  const bytes = await recording.slice(start, start + length)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
