import { type ComponentType, lazy, Suspense, useState } from 'react'

/** A file that loads when something of it is first needed. */
export interface LazyFile<Content> {
  load(): Promise<Content>
  /** What is in it, once it is here. */
  content?: Content
}

/** Returns a file that loads once, whichever part of it is first needed. */
export function lazyFile<Content>(load: () => Promise<Content>): LazyFile<Content> {
  const file: LazyFile<Content> = { load: async () => (file.content ??= await load()) }
  return file
}

/**
 * Something that floats over the page, as a component whose file loads when it first opens and so is not part of a page's first load. Once opened
 * it stays, closed, so that it can be seen leaving. One whose file is here draws at once: React would hold it back for 300 ms.
 */
export function lazyOverlay<Content, Props extends { readonly open: boolean }>(
  file: LazyFile<Content>,
  panelOf: (content: Content) => ComponentType<Props>,
): ComponentType<Props> {
  const Loading = lazy(async () => ({
    default: panelOf(await file.load()) as ComponentType<{ readonly open: boolean }>,
  }))
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each panel, when its file is loaded
  return function LazyOverlay(props: Props) {
    const [Panel, setPanel] = useState<ComponentType<Props>>()
    if (props.open && Panel === undefined) setPanel(() => (file.content ? panelOf(file.content) : Loading))
    return Panel ? (
      <Suspense>
        <Panel {...props} />
      </Suspense>
    ) : null
  }
}
