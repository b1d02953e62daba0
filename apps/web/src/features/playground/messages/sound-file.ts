/** Starts of the files in which models send sound, with their types. */
const starts = [
  ['RIFF', 'audio/wav'],
  ['ID3', 'audio/mpeg'],
  ['\u00FF\u00FB', 'audio/mpeg'],
  ['\u00FF\u00F3', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
] as const

/** Rate at which OpenAI streams `pcm16`: 16 bits, one channel. https://platform.openai.com/docs/guides/audio */
const pcmRate = 24_000

/** Joins pieces of base64 to a file that browsers play. Samples without a head get that of a WAV file. */
export function soundFile(pieces: readonly string[]): Blob {
  const bytes = pieces.map(decode)
  const head = String.fromCharCode(...(bytes[0]?.slice(0, 4) ?? []))
  const type = starts.find(([start]) => head.startsWith(start))?.[1]
  if (type !== undefined) return new Blob([...bytes], { type })
  const length = bytes.reduce((sum, piece) => sum + piece.length, 0)
  return new Blob([wavHead(length), ...bytes], { type: 'audio/wav' })
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    // A piece that is none is silence.
    return new Uint8Array()
  }
}

/** http://soundfile.sapp.org/doc/WaveFormat/ */
function wavHead(length: number): ArrayBuffer {
  const head = new DataView(new ArrayBuffer(44))
  const text = (at: number, name: string) => {
    for (let i = 0; i < name.length; i += 1) head.setUint8(at + i, name.charCodeAt(i))
  }
  text(0, 'RIFF')
  head.setUint32(4, 36 + length, true)
  text(8, 'WAVEfmt ')
  head.setUint32(16, 16, true)
  head.setUint16(20, 1, true)
  head.setUint16(22, 1, true)
  head.setUint32(24, pcmRate, true)
  head.setUint32(28, pcmRate * 2, true)
  head.setUint16(32, 2, true)
  head.setUint16(34, 16, true)
  text(36, 'data')
  head.setUint32(40, length, true)
  return head.buffer
}
