import { type ReactNode, Suspense } from 'react'
import type { FieldValues } from 'react-hook-form'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { Notice } from '../ui/tag.tsx'
import type { SaveForm } from './use-save-form.ts'

const EditConflicts = lazyComponent(() => import('./edit-conflicts.tsx'), 'EditConflicts')

interface SaveFailureProps<Values extends FieldValues> {
  readonly saveForm: Pick<SaveForm<Values>, 'failure' | 'conflicts' | 'keepMine' | 'takeTheirs' | 'saving'>
  /** The heading of a refusal. */
  readonly title?: string
  /** Names a field; by default by its name in JSON. */
  readonly labelOf?: (field: string) => string
}

/** Explains why a form could not be saved: the refusal, or the changes of somebody else and the choice between both versions. */
export function SaveFailure<Values extends FieldValues>({
  saveForm,
  title,
  labelOf,
}: SaveFailureProps<Values>): ReactNode {
  const { failure, conflicts } = saveForm
  if (failure === undefined) return null
  const refusal = (
    <Notice tone="bad" {...(title !== undefined && { title })}>
      {failure.message}
    </Notice>
  )
  if (conflicts.length === 0) return refusal
  return (
    <Suspense fallback={refusal}>
      <EditConflicts {...saveForm} {...(labelOf && { labelOf })} />
    </Suspense>
  )
}
