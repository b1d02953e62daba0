import { Search, SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHotkey } from '../../lib/browser/hotkeys.ts'
import { cx } from '../../lib/cx.ts'
import { KeyCaps } from './kbd.tsx'
import { Popover } from './overlay/popover.tsx'

export interface FilterBarProps {
  /** The chips. */
  readonly children?: ReactNode
  /** The search box: its value comes from the URL. */
  readonly search?: SearchBoxProps
  /** Controls at the right: column picker, refresh. */
  readonly end?: ReactNode
}

/** One row over a table: search, filter chips, view options. */
export function FilterBar({ children, search, end }: FilterBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
      {search && <SearchBox {...search} />}
      {children}
      {end && <div className="ml-auto flex items-center gap-1">{end}</div>}
    </div>
  )
}

export interface SearchBoxProps {
  readonly value: string
  /** Called a moment after typing stops, and at once on Enter. */
  readonly onSearch: (value: string) => void
  readonly placeholder: string
}

const searchDelayMs = 300
/** Width of a letter in figures, of which a Chinese one takes two. */
const letterWidth = 0.9

/** Width of a text in `ch`, so that the placeholder is read whole. */
function widthOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : letterWidth), 0)
}

/** Takes `/` from anywhere on the page. Waits for input methods to finish composing. */
function SearchBox({ value, onSearch, placeholder }: SearchBoxProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [visible, setVisible] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (visible !== value) {
    setVisible(value)
    setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useHotkey('/', t('keys.search'), () => input.current?.focus())

  function search(next: string, now: boolean): void {
    clearTimeout(timer.current)
    if (now) onSearch(next.trim())
    else timer.current = setTimeout(() => onSearch(next.trim()), searchDelayMs)
  }

  return (
    <span
      className="field flex h-control w-60 items-center gap-2 px-2.5 max-xl:w-52 max-sm:w-full"
      style={{ minWidth: `min(100%, ${widthOf(placeholder)}ch + 5rem)` }}
    >
      <Search className="size-3.5 shrink-0 text-faint" aria-hidden />
      <input
        ref={input}
        type="search"
        value={text}
        placeholder={placeholder}
        aria-label={placeholder}
        className="h-full w-full min-w-0 bg-transparent text-sm outline-none [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => {
          setText(event.target.value)
          if (!(event.nativeEvent as InputEvent).isComposing) search(event.target.value, false)
        }}
        onCompositionEnd={(event) => search(event.currentTarget.value, false)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') search(text, true)
          if (event.key === 'Escape') input.current?.blur()
        }}
      />
      {text === '' ? (
        <KeyCaps keys="/" className="max-sm:hidden" />
      ) : (
        <button
          type="button"
          aria-label={t('filter.clearSearch')}
          className="-mr-1 grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-text max-sm:size-10"
          onClick={() => {
            setText('')
            search('', true)
            input.current?.focus()
          }}
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </span>
  )
}

interface FilterChipProps {
  readonly label: string
  /** Chosen value, in words; `undefined` while the filter is off. */
  readonly value: ReactNode | undefined
  readonly onClear: () => void
  /** The editor; gets a function that closes it. */
  readonly children: (close: () => void) => ReactNode
  readonly className?: string
}

/** One filter: its name, what is chosen, and an editor behind a press. */
export function FilterChip({ label, value, onClear, children, className }: FilterChipProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const active = value !== undefined
  return (
    <span
      className={cx(
        'inline-flex h-control items-center rounded border text-sm',
        active
          ? 'border-accent/40 bg-accent-soft text-accent-text'
          : 'border-line-strong border-dashed text-muted hover:text-text',
      )}
    >
      <Popover
        label={label}
        open={open}
        onOpenChange={setOpen}
        className={className ?? 'w-64'}
        trigger={
          <button type="button" className="flex h-full max-w-64 items-center gap-1.5 rounded px-2.5">
            {!active && <SlidersHorizontal className="size-3" aria-hidden />}
            <span className={cx(active && 'text-muted')}>{label}</span>
            {active && <span className="truncate font-medium">{value}</span>}
          </button>
        }
      >
        {children(() => setOpen(false))}
      </Popover>
      {active && (
        <button
          type="button"
          aria-label={t('filter.clear', { label })}
          className="mr-0.5 grid h-full w-6 place-items-center rounded hover:text-text max-sm:w-10"
          onClick={onClear}
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </span>
  )
}
