import { Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHotkey } from '../../lib/hotkeys.ts'
import { KeyCaps } from './kbd.tsx'

export interface FilterBarProps {
  /** The chips. */
  readonly children?: ReactNode
  /** The search box: its value comes from the URL. */
  readonly search?: SearchBoxProps
  /** At the right: column picker, refresh. */
  readonly end?: ReactNode
}

/** One row over a table: search, filter chips, view options. */
export function FilterBar({ children, search, end }: FilterBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
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

/** Takes `/` from anywhere on the page. Waits for input methods to finish composing. */
function SearchBox({ value, onSearch, placeholder }: SearchBoxProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (shown !== value) {
    setShown(value)
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
    <span className="field flex h-control w-60 items-center gap-2 px-2.5 max-sm:w-full">
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
