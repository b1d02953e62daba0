import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, Skeleton } from './states.tsx'

interface QueryBoundaryProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** A part of the page that shows what one call answered, or why it did not. */
export function QueryBoundary<Data>({ query, children }: QueryBoundaryProps<Data>) {
  const { data, error, refetch, isFetching } = query
  if (data !== undefined) return children(data)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
  return (
    <div aria-busy>
      <Skeleton className="h-20!" />
    </div>
  )
}
