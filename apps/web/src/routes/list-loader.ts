import type { QueryClient } from '@tanstack/react-query'
import { loadTexts } from '../i18n/index.ts'
import type { Namespace } from '../i18n/resources.ts'
import type { RouterContext } from './guards.ts'

interface ListPage<Search> {
  /** Starts the calls that the page makes first. */
  readonly preload: (client: QueryClient, search: Search) => void
}

interface LoaderArguments {
  readonly context: RouterContext
  /** `preload` while the pointer rests on a link to the page, `stay` when only its search or its sheet changes. */
  readonly cause: 'preload' | 'enter' | 'stay'
  readonly location: { readonly search: Readonly<Record<string, unknown>> }
}

/**
 * The loader of a list: reads its first rows as soon as its code is there, beside its texts and before it is drawn. A page that is
 * only preloaded makes no calls: the server has limits, and rows grow old. A page that stays reads what it needs by itself.
 */
export function loadList<Search>(
  texts: readonly Namespace[],
  readSearch: (search: Readonly<Record<string, unknown>>) => Search,
  page: () => Promise<ListPage<Search>>,
) {
  return async ({ context, location, cause }: LoaderArguments): Promise<void> => {
    const code = page().then(({ preload }) => {
      if (cause === 'enter') preload(context.queryClient, readSearch(location.search))
    })
    await Promise.all([loadTexts(...texts), code])
  }
}
