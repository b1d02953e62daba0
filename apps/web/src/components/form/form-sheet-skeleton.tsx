import type { UseQueryResult } from '@tanstack/react-query'
import { Sheet, type SheetProps } from '../ui/sheet.tsx'
import { ErrorState, Skeleton } from '../ui/states.tsx'

export interface FormSheetSkeletonProps extends Pick<SheetProps, 'title' | 'onClose'> {
  /** What the form will be filled with. */
  readonly query: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>
}

const fields = ['a', 'b', 'c', 'd']

/** Where a form will stand once what it edits is here; or why it is not. */
export function FormSheetSkeleton({ query, ...sheet }: FormSheetSkeletonProps) {
  const { error, refetch, isFetching } = query
  return (
    <Sheet open {...sheet}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <div className="flex flex-col gap-5" aria-busy>
          <Skeleton className="h-28!" />
          {fields.map((id) => (
            <div key={id} className="flex flex-col gap-2">
              <Skeleton className="w-24!" />
              <Skeleton className="h-8!" />
            </div>
          ))}
        </div>
      )}
    </Sheet>
  )
}
