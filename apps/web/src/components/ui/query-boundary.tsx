import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, Skeleton } from './states.tsx'

interface QueryBoundaryProps<Data> {
  readonly query: UseQueryResult<Data>
  /** Classes that give the skeleton the height of what will come, so that nothing below it moves. */
  readonly waiting?: string
  readonly children: (data: Data) => ReactNode
}

/** A part of the page that shows what one call answered, or why it did not. */
export function QueryBoundary<Data>({ query, waiting = 'h-20!', children }: QueryBoundaryProps<Data>) {
  const { data, error, refetch, isFetching } = query
  if (data !== undefined) return children(data)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
  return (
    <div aria-busy>
      <Skeleton className={waiting} />
    </div>
  )
}
