import { type ReactNode, useEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Sheet, type SheetProps } from '../ui/sheet.tsx'
import { Notice } from '../ui/tag.tsx'
import type { SaveForm } from './use-save-form.ts'

export interface FormSheetProps<Values extends FieldValues>
  extends Omit<SheetProps, 'open' | 'dirty' | 'onSubmit' | 'submitting' | 'children'> {
  readonly saveForm: SaveForm<Values>
  readonly children: ReactNode
}

/** A sheet that is one form: asks before typed work is lost, and says above the fields what the server refused. */
export function FormSheet<Values extends FieldValues>({
  saveForm,
  children,
  ...sheet
}: FormSheetProps<Values>) {
  const { form, submit, saving, dirty, failure } = saveForm
  const { submitCount } = form.formState
  const fields = useRef<HTMLDivElement>(null)
  // Where the first problem is, so that one need not look for it.
  useEffect(() => {
    if (submitCount > 0 && !saving)
      fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount, saving])
  return (
    <Sheet open {...sheet} dirty={dirty} onSubmit={submit} submitting={saving}>
      <div ref={fields} className="flex flex-col gap-5">
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        {children}
      </div>
    </Sheet>
  )
}
