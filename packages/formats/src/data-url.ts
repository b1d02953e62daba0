/** Bytes as base64, and what they are. */
export interface Base64Data {
  readonly mediaType: string
  readonly data: string
}

/** Reads `data:<type>;base64,<data>`; `undefined` for other addresses. Parameters of the type are left out. */
export function readDataUrl(url: string): Base64Data | undefined {
  if (!url.startsWith('data:')) return undefined
  const comma = url.indexOf(',')
  if (comma < 0) return undefined
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  if (!parameters.includes('base64')) return undefined
  return { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) }
}

export function dataUrl({ mediaType, data }: Base64Data): string {
  return `data:${mediaType};base64,${data}`
}
