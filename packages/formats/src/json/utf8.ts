/**
 * UTF-8 is pure computation but lives in the host's library, not in ECMAScript. Declared here, and nowhere else, so
 * that the package still compiles without any host's types.
 */
declare const TextDecoder: new (label: 'utf-8') => { decode(bytes: Uint8Array): string }
declare const atob: (base64: string) => string
declare const btoa: (binary: string) => string
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> }

const decoder = new TextDecoder('utf-8')
const encoder = new TextEncoder()

/** Text of complete UTF-8 bytes; invalid bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** The text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** The bytes of a base64 text; `undefined` when the text is not base64. */
export function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(base64)
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}

/** Bytes that become text at a time, because the arguments of a call are limited. A multiple of base64's groups. */
const base64Step = 3 * 8192

/** The bytes as base64. */
export function base64OfBytes(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += base64Step)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + base64Step)))
  return text
}

/** The text whose UTF-8 bytes a base64 text holds; `undefined` when it is not base64. */
export function decodeBase64(base64: string): string | undefined {
  const bytes = bytesOfBase64(base64)
  return bytes && decodeUtf8(bytes)
}

/** Counts how many bytes a text has in UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) length += code >= 0x800 && !isSurrogate(code) ? 2 : 1
  }
  return length
}

/** Recognises a half of a pair of surrogates, which is 4 bytes: one more for each half. */
function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}
