import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Sheet, SheetFrame, type SheetProps } from '../ui/overlay/sheet.tsx'
import { ErrorState, Skeleton } from '../ui/states.tsx'
import { SaveFailure } from './save-failure.tsx'
import type { SaveForm } from './use-save-form.ts'

export interface FormSheetProps<Values extends FieldValues>
  extends Omit<SheetProps, 'open' | 'dirty' | 'onSubmit' | 'submitting' | 'children'> {
  readonly saveForm: SaveForm<Values>
  /** Saving an untouched form closes it. */
  readonly closesUntouched?: boolean
  readonly children: ReactNode
}

/** A sheet that is one form: asks before typed work is lost, and says above the fields what the server refused. */
export function FormSheet<Values extends FieldValues>({
  saveForm,
  closesUntouched = false,
  children,
  ...sheet
}: FormSheetProps<Values>) {
  const { form, submit, saving, dirty } = saveForm
  const { submitCount } = form.formState
  const fields = useRef<HTMLDivElement>(null)
  // Where the first problem is, so that one need not look for it.
  useEffect(() => {
    if (submitCount > 0 && !saving)
      fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount, saving])
  return (
    <Sheet
      open
      {...sheet}
      dirty={dirty}
      onSubmit={closesUntouched && !dirty ? sheet.onClose : submit}
      submitting={saving}
    >
      <div ref={fields} className="flex flex-col gap-5">
        <SaveFailure saveForm={saveForm} />
        {children}
      </div>
    </Sheet>
  )
}

export interface RecordSheetProps<Row> extends Pick<SheetProps, 'title' | 'onClose'> {
  readonly query: Pick<UseQueryResult<Row>, 'data' | 'error' | 'refetch' | 'isFetching'>
  /** The sheet of the record. */
  readonly children: (row: Row) => ReactNode
}

const skeletonFields = ['a', 'b', 'c', 'd']

/** The sheet of a stored record once it is here; until then its outline, or why it is not. All are one panel. */
export function RecordSheet<Row>({ query, children, ...sheet }: RecordSheetProps<Row>): ReactNode {
  const { data, error, refetch, isFetching } = query
  return (
    <SheetFrame open>
      {data !== undefined ? (
        children(data)
      ) : (
        <Sheet open {...sheet}>
          {error ? (
            <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
          ) : (
            <div className="flex flex-col gap-5" aria-busy>
              <Skeleton className="h-28!" />
              {skeletonFields.map((id) => (
                <div key={id} className="flex flex-col gap-2">
                  <Skeleton className="w-24!" />
                  <Skeleton className="h-8!" />
                </div>
              ))}
            </div>
          )}
        </Sheet>
      )}
    </SheetFrame>
  )
}
