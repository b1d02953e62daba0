import './dom.ts'
import { onTestFinished, spyOn } from 'bun:test'

/** A file that the page handed to the browser. */
export interface Download {
  readonly name: string
  readonly content: Blob
}

/** Takes the files of one test in place of the browser, which nothing saves here. */
export function watchDownloads(): { readonly files: readonly Download[] } {
  const files: Download[] = []
  const contents = new Map<string, Blob>()
  const create = spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    const url = `blob:${contents.size}`
    contents.set(url, content as Blob)
    return url
  })
  const click = spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const content = contents.get(this.href)
    if (content !== undefined) files.push({ name: this.download, content })
  })
  onTestFinished(() => {
    create.mockRestore()
    click.mockRestore()
  })
  return { files }
}
