import type { QueryClient } from '@tanstack/react-query'

/** What route guards and loaders may use. */
export interface RouterContext {
  readonly queryClient: QueryClient
}
