import { type KeyboardEvent, useRef, useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { useFieldControl } from '../field/field.tsx'
import type { SelectCombobox } from './select-combobox.tsx'
import { SelectFace, type SelectProps, selectTriggerClass } from './select-face.tsx'

export type { SelectOption, SelectProps } from './select-face.tsx'

let Combobox: typeof SelectCombobox | undefined

async function loadCombobox(): Promise<void> {
  Combobox ??= (await import('./select-combobox.tsx')).SelectCombobox
}

const openingKeys = ['ArrowDown', 'ArrowUp', 'Enter', ' ']

/**
 * One of many, with search. Until a pointer or the focus comes near one, selects are plain buttons: the code of the list
 * loads then, and is not part of a page's first load.
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
