/** Hands text to the browser as a file to be kept. */
export function saveTextFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken the content over by the time this runs.
  setTimeout(() => URL.revokeObjectURL(url))
}
