import { type ComponentType, lazy, Suspense, useState } from 'react'

/**
 * Something that floats over the page, as a component whose code loads when it first opens and so is not part of a
 * page's first load. Once opened it stays, closed, so that it can be seen leaving.
 */
export function lazyOverlay<Props extends { readonly open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Panel = lazy(async () => ({ default: (await load()) as ComponentType<{ readonly open: boolean }> }))
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each panel, when its file is loaded
  return function LazyOverlay(props: Props) {
    const [opened, setOpened] = useState(props.open)
    if (props.open && !opened) setOpened(true)
    return opened ? (
      <Suspense>
        <Panel {...props} />
      </Suspense>
    ) : null
  }
}
