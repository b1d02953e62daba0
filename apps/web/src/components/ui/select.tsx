import { ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { useFieldControl } from './field.tsx'
import type { SelectCombobox } from './select-combobox.tsx'

let Combobox: typeof SelectCombobox | undefined

async function loadCombobox(): Promise<void> {
  Combobox ??= (await import('./select-combobox.tsx')).SelectCombobox
}

const openingKeys = ['ArrowDown', 'ArrowUp', 'Enter', ' ']

/**
 * One of many, with search. Until a pointer or the focus comes near one, selects are plain buttons: the code of the list
 * loads then, and is no part of a page's first load.
 */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  const [ready, setReady] = useState(Combobox !== undefined)
  const [startsOpen, setStartsOpen] = useState(false)
  const [startsFocused, setStartsFocused] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)

  async function prepare(): Promise<void> {
    await loadCombobox()
    // Taken away between press and release, the button would miss its click.
    if (pressed.current) return
    setStartsFocused(document.activeElement === button.current)
    setReady(true)
  }
  function open(): void {
    pressed.current = false
    setStartsOpen(true)
    void prepare()
  }

  if (ready && Combobox) return <Combobox {...props} startsOpen={startsOpen} startsFocused={startsFocused} />
  return (
    <PlainButton
      {...props}
      buttonRef={button}
      onNear={() => void prepare()}
      onPress={(isDown) => {
        pressed.current = isDown
      }}
      onOpen={open}
    />
  )
}

interface PlainButtonProps<Value extends string | number> extends SelectProps<Value> {
  readonly buttonRef: React.RefObject<HTMLButtonElement | null>
  readonly onNear: () => void
  readonly onPress: (isDown: boolean) => void
  readonly onOpen: () => void
}

function PlainButton<Value extends string | number>(props: PlainButtonProps<Value>) {
  const { value, options, placeholder, disabled = false, className, onNear, onPress, onOpen } = props
  const control = useFieldControl()
  const selected = options.find((option) => option.value === value)
  function onKeyDown(event: KeyboardEvent): void {
    if (!openingKeys.includes(event.key)) return
    event.preventDefault()
    onOpen()
  }
  return (
    <button
      {...control}
      ref={props.buttonRef}
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      aria-label={props['aria-label']}
      disabled={disabled}
      className={cx(selectTriggerClass, className)}
      onPointerEnter={onNear}
      onFocus={onNear}
      onPointerDown={() => onPress(true)}
      onPointerLeave={() => onPress(false)}
      onClick={onOpen}
      onKeyDown={onKeyDown}
    >
      <SelectFace text={selected?.label ?? value?.toString()} placeholder={placeholder} />
    </button>
  )
}

export const selectTriggerClass =
  'field flex h-control w-full min-w-0 items-center justify-between gap-2 px-2.5 text-left text-sm'

interface SelectFaceProps {
  /** What is chosen. */
  readonly text: string | undefined
  readonly placeholder: string | undefined
}

/** What a select's button shows. */
export function SelectFace({ text, placeholder }: SelectFaceProps) {
  const { t } = useTranslation()
  return (
    <>
      <span className={cx('min-w-0 truncate', text === undefined && 'text-faint')}>
        {text ?? placeholder ?? t('select.placeholder')}
      </span>
      <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden />
    </>
  )
}

export interface SelectOption<Value extends string | number> {
  readonly value: Value
  /** Searched and shown. */
  readonly label: string
  /** Muted, under the label. */
  readonly hint?: string
  /** Right of the label: a ratio, a count. */
  readonly aside?: ReactNode
}

export interface SelectProps<Value extends string | number> {
  readonly value: Value | undefined
  readonly onValueChange: (value: Value) => void
  readonly options: readonly SelectOption<Value>[]
  readonly placeholder?: string
  /** A search box over the list; on by itself from eight options. */
  readonly searchable?: boolean
  readonly disabled?: boolean
  readonly 'aria-label'?: string
  readonly className?: string
}
