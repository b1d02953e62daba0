import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { toast } from '../toast.ts'
import { ApiError } from './api-client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error
    mutationMeta: {
      /** The form shows the failure itself. */
      readonly silent?: boolean
      /** Shown as a toast when the mutation succeeds; already translated. */
      readonly successMessage?: string
    }
  }
}

/** Only failures that may pass by themselves are tried again; a refusal stays a refusal. */
function mayPass(error: Error): boolean {
  return error instanceof ApiError && (error.code === 'offline' || error.status === 503)
}

/** The frame tells these by itself: a bar while the server is away, the login when the session is over. */
function isReportedByFrame(error: Error): boolean {
  return isSessionOver(error) || (error instanceof ApiError && error.code === 'offline')
}

function isSessionOver(error: Error): boolean {
  return error instanceof ApiError && error.code === 'unauthorized'
}

/** Server state. A toast reports a failed change; the page reports a failed read, or a toast when it still shows data. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (count, error) => count < 2 && mayPass(error),
        refetchOnWindowFocus: false,
        // A call that finds no server fails and says so, rather than waiting in silence.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.state.data !== undefined && !isReportedByFrame(error)) toast.error(error.message)
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.silent !== true && !isSessionOver(error)) toast.error(error.message)
      },
      onSuccess: (_data, _variables, _result, mutation) => {
        if (mutation.meta?.successMessage) toast.success(mutation.meta.successMessage)
      },
    }),
  })
}
