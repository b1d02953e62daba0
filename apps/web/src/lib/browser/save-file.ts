/** Hands text to the browser as a file to be kept. */
export function saveTextFile(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'text/plain' }))
}

/** Lets the browser download from an address of this site: of any size, into its file at once. */
export function downloadFrom(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

/** Hands any content to the browser as a file to be kept. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken the content over by the time this runs.
  setTimeout(() => URL.revokeObjectURL(url))
}

/** Hands a response to the browser as a file, under the name that the server gave it. */
export async function saveResponse(response: Response): Promise<void> {
  saveFile(fileNameOf(response), await response.blob())
}

/** The name of a file that a response holds. */
export function fileNameOf({ headers }: Pick<Response, 'headers'>): string {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'export.csv'
}
