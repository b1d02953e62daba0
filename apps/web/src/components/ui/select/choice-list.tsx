import { Check, Search } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'
import { Input } from '../field/input.tsx'
import { VirtualList } from './virtual-list.tsx'

/** Something to choose. */
export interface Choice {
  readonly value: string
  /** Visible name; its value when absent. */
  readonly label?: string
  /** Muted beside it. */
  readonly hint?: string
}

export interface ChoiceListProps {
  readonly choices: readonly Choice[]
  readonly value: string | undefined
  readonly onChoose: (value: string) => void
  readonly placeholder: string
  /** Value of typed text that matches no choice; `undefined` when it has none. */
  readonly typed?: ((text: string) => string | undefined) | undefined
  readonly mono?: boolean
}

/** The editor of a filter: a box to type in over what there is to choose from. */
export function ChoiceList({ choices, value, onChoose, placeholder, typed, mono = false }: ChoiceListProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = choices.filter((choice) => searchText(choice).includes(wanted))
  const own = wanted === '' ? undefined : typed?.(text.trim())

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    const exact = found.find((choice) => choice.value.toLowerCase() === wanted)
    const chosen = exact?.value ?? own ?? found[0]?.value
    if (chosen !== undefined) onChoose(chosen)
  }

  return (
    <div className="-m-1.5 flex flex-col gap-1.5">
      <Input
        icon={Search}
        autoFocus
        mono={mono}
        value={text}
        placeholder={placeholder}
        aria-label={placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <VirtualList items={found} keyOf={keyOf} estimate={32} className="max-h-64">
        {(choice) => (
          <button
            type="button"
            aria-pressed={choice.value === value}
            onClick={() => onChoose(choice.value)}
            className={rowClass}
          >
            <span className={cx('min-w-0 truncate', mono && 'font-mono text-xs')}>
              {choice.label ?? choice.value}
            </span>
            <span className="min-w-0 flex-1 truncate text-muted text-xs">{choice.hint}</span>
            {choice.value === value && <Check className="size-3.5 shrink-0 text-accent-text" aria-hidden />}
          </button>
        )}
      </VirtualList>
      {own !== undefined && !found.some((choice) => choice.value === own) && (
        <button type="button" onClick={() => onChoose(own)} className={cx(rowClass, 'text-muted')}>
          <Search className="size-3.5 shrink-0" aria-hidden />
          <span className="min-w-0 flex-1 truncate">{t('choice.useTyped', { text: text.trim() })}</span>
        </button>
      )}
      {found.length === 0 && own === undefined && (
        <p className="px-2 py-2 text-muted text-xs">
          {t(wanted === '' ? 'choice.typeOne' : 'choice.nothing')}
        </p>
      )}
    </div>
  )
}

const rowClass =
  'flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-left text-sm hover:bg-hover focus-visible:bg-hover focus-visible:outline-offset-[-2px] max-sm:min-h-11'

const keyOf = ({ value }: Choice) => value

function searchText({ value, label = '', hint = '' }: Choice): string {
  return `${value} ${label} ${hint}`.toLowerCase()
}
