import { Check, Search } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '../../components/ui/input.tsx'
import { cx } from '../../lib/cx.ts'

export interface FilterChoiceProps {
  readonly options: readonly string[]
  readonly value: string | undefined
  readonly onChoose: (value: string) => void
  readonly placeholder: string
  /** What is typed is a filter too, such as a part of a name. */
  readonly freeText?: boolean
  readonly mono?: boolean
}

/** Options drawn at once; typing narrows a longer list. */
const optionLimit = 100

/** The editor of a filter chip: a search box over its options. */
export function FilterChoice(props: FilterChoiceProps) {
  const { options, value, onChoose, placeholder, freeText = false, mono = false } = props
  const { t } = useTranslation('channels')
  const [text, setText] = useState(freeText ? (value ?? '') : '')
  const typed = text.trim()
  const found = options
    .filter((option) => option.toLowerCase().includes(typed.toLowerCase()))
    .slice(0, optionLimit)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    const choice = freeText ? typed : found[0]
    if (choice) onChoose(choice)
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
      <ul className="max-h-64 overflow-y-auto">
        {found.map((option) => (
          <li key={option}>
            <button
              type="button"
              aria-pressed={option === value}
              onClick={() => onChoose(option)}
              className={cx(
                'flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-left text-sm hover:bg-hover focus-visible:bg-hover focus-visible:outline-offset-[-2px] max-sm:min-h-11',
                mono && 'font-mono text-xs',
              )}
            >
              <span className="min-w-0 flex-1 truncate">{option}</span>
              {option === value && <Check className="size-3.5 shrink-0 text-accent-text" aria-hidden />}
            </button>
          </li>
        ))}
        {found.length === 0 && (
          <li className="px-2 py-2 text-muted text-xs">
            {t(freeText ? 'filter.useTyped' : 'filter.nothing')}
          </li>
        )}
      </ul>
    </div>
  )
}
