import type { EditConflict } from '@tollgate/api'
import { useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { EditBase } from './edit-base.ts'

/** Remembers what each field of a form was when the person began to change it. */
export function useEditBase<Values extends FieldValues>(form: UseFormReturn<Values>, start: Values) {
  const base = useRef<EditBase<Values>>({ started: start, seen: [] })
  const { dirtyFields } = form.formState
  useEffect(() => {
    const values: FieldValues = form.getValues()
    const marks: FieldValues = dirtyFields
    const touched = Object.entries(base.current.started).filter(
      ([name]) => isMarked(marks[name]) && !isSame(values[name], start[name]),
    )
    base.current = { ...base.current, started: { ...start, ...Object.fromEntries(touched) } }
  })
  return {
    read: (): EditBase<Values> => base.current,
    see(conflicts: readonly EditConflict[]): void {
      base.current = { ...base.current, seen: [...base.current.seen, ...conflicts] }
    },
    /** Begins the next edit with saved values. */
    begin(started: Values): void {
      base.current = { started, seen: [] }
    },
  }
}

/** The form marks a field as changed, or a part of it. */
function isMarked(mark: unknown): boolean {
  if (typeof mark === 'object' && mark !== null) return Object.values(mark).some(isMarked)
  return mark === true
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
