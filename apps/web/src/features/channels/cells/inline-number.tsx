import { useMutation } from '@tanstack/react-query'
import { Check, LoaderCircle } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseNumber } from '../../../components/ui/field/input.tsx'
import { cx } from '../../../lib/cx.ts'
import { toast } from '../../../lib/toast.ts'
import { cellProblem } from '../form/cell-problem.ts'
import { useProblemText } from '../problem-text.ts'

export interface InlineNumberProps {
  readonly label: string
  readonly field: 'priority' | 'weight'
  /** Nothing where several channels differ. */
  readonly stored: number | undefined
  /** Resolves with whether it was saved: the user may cancel. */
  readonly onSave: (value: number) => Promise<boolean>
}

const savedMarkMs = 1500

/** Priority or weight in the list: saved on Enter and when the field is left, taken back by Escape. */
export function InlineNumber({ label, field, stored, onSave }: InlineNumberProps) {
  const { t } = useTranslation('channels')
  const problemText = useProblemText()
  const [text, setText] = useState<string>()
  const [saved, setSaved] = useState(false)
  const save = useMutation({
    mutationFn: onSave,
    onSuccess: setSaved,
    // The stored value shows again; a message shows the refusal.
    onSettled: () => setText(undefined),
  })
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), savedMarkMs)
    return () => clearTimeout(timer)
  }, [saved])
  const problem = text === undefined ? undefined : cellProblem(field, parseNumber(text, false))

  function commit(): void {
    if (text === undefined || save.isPending) return
    const value = parseNumber(text, false)
    if (value !== undefined && value !== stored && !problem) {
      save.mutate(value)
      return
    }
    if (problem && text.trim() !== '') toast.error(problemText(problem))
    setText(undefined)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') event.currentTarget.blur()
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setText(undefined)
  }

  return (
    <span className="relative inline-flex items-center align-middle">
      <input
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-busy={save.isPending || undefined}
        readOnly={save.isPending}
        value={text ?? String(stored ?? '')}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        onKeyDown={onKeyDown}
        className={cx(
          'field figures h-[26px] w-11 border-transparent! bg-transparent! px-1.5 text-right text-sm hover:border-line-strong! focus:border-accent! focus:bg-surface! max-sm:h-9 max-sm:w-20 max-sm:border-line! aria-invalid:border-bad!',
          save.isPending && 'opacity-60',
        )}
      />
      <span className="-left-3 pointer-events-none absolute max-sm:-left-5" role="status">
        {save.isPending && <LoaderCircle className="size-3 animate-spin text-muted" aria-hidden />}
        {saved && !save.isPending && <Check className="size-3 text-good" aria-hidden />}
        <span className="sr-only">{saved && t('list.saved')}</span>
      </span>
    </span>
  )
}
