/** What the first bytes of files say of them. https://en.wikipedia.org/wiki/List_of_file_signatures */
const signatures: readonly (readonly [mediaType: string, hex: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['application/pdf', /^255044462d/],
]

/** The type of an image or a document by its bytes, whatever a server calls it; `undefined` for any other. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  return signatures.find(([, pattern]) => pattern.test(start))?.[0]
}
