import { type ReactNode, useId } from 'react'
import { Field, type FieldProps } from '../../../components/ui/field/field.tsx'
import type { ChannelForm } from './channel-form.ts'

/** Props of every section of the form. */
export interface SectionProps {
  readonly form: ChannelForm
  readonly change: (part: Partial<ChannelForm>) => void
  readonly problems: Sentences
}

/** Sentences about wrong fields. */
export type Sentences = Partial<Record<keyof ChannelForm, string>>

export interface FormFieldProps extends Omit<FieldProps, 'error'> {
  readonly name: keyof ChannelForm
  readonly problem: string | undefined
}

/** A field that can be found: by the search of the form, and by the first problem of a save. */
export function FormField({ name, problem, ...field }: FormFieldProps) {
  return (
    <div data-field={name} data-invalid={problem && ''} className="min-w-0 scroll-mt-4">
      <Field {...field} error={problem} />
    </div>
  )
}

export interface FormGroupProps {
  readonly name: keyof ChannelForm
  readonly label: string
  readonly hint?: ReactNode
  /** Right of the label. */
  readonly aside?: ReactNode
  readonly problem: string | undefined
  readonly children: ReactNode
}

/** A field made of several controls, each with a name of its own. */
export function FormGroup({ name, label, hint, aside, problem, children }: FormGroupProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot share its line with the view switch
    <div
      role="group"
      aria-labelledby={id}
      data-field={name}
      data-invalid={problem && ''}
      className="flex min-w-0 scroll-mt-4 flex-col gap-1.5"
    >
      <div className="flex items-center justify-between gap-3">
        <span id={id} className="font-medium text-sm">
          {label}
        </span>
        {aside}
      </div>
      {children}
      {problem && (
        <p role="alert" className="text-bad text-xs">
          {problem}
        </p>
      )}
      {hint && <p className="text-muted text-xs">{hint}</p>}
    </div>
  )
}
