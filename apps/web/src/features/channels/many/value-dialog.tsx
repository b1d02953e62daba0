import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input, parseNumber } from '../../../components/ui/field/input.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { cellProblem } from '../form/problems.ts'
import { useProblemText } from '../problem-text.ts'

export type BulkField = 'tag' | 'priority' | 'weight'

/** `null` takes a tag off. */
export interface ValueAnswer {
  readonly value: string | null
}

/** Asks what to set; `undefined` when the person thinks better of it. */
export type AskValue = (field: BulkField, count: number) => Promise<ValueAnswer | undefined>

export interface ValueDialogProps {
  readonly field: BulkField
  /** How many channels it will be set on. */
  readonly count: number
  readonly answer: (answer: ValueAnswer | undefined) => void
}

/** Asks for the tag, priority or weight that many channels are to have. */
export function ValueDialog({ field, count, answer }: ValueDialogProps) {
  const { t } = useTranslation('channels')
  const problemText = useProblemText()
  const form = useId()
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const problem = problemOf(field, text)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    if (!problem) answer({ value: field === 'tag' ? text.trim() : String(parseNumber(text, false)) })
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={() => answer(undefined)}
      title={t(`bulk.${field}Title`, { count })}
      initialFocus={() => document.querySelector<HTMLInputElement>(`[id="${form}"] input`)}
      footer={
        <>
          {field === 'tag' && (
            <Button className="mr-auto" onClick={() => answer({ value: null })}>
              {t('bulk.tagRemove')}
            </Button>
          )}
          <Button variant="primary" type="submit" form={form}>
            {t('bulk.set')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field
          label={t(`field.${field}`)}
          hint={t(`bulk.${field}Hint`)}
          error={tried && problem ? problemText(problem) : undefined}
        >
          <Input
            value={text}
            inputMode={field === 'tag' ? 'text' : 'numeric'}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}

function problemOf(field: BulkField, text: string) {
  if (field === 'tag') return text.trim() === '' ? ('tagRequired' as const) : undefined
  return cellProblem(field, parseNumber(text, false))
}
