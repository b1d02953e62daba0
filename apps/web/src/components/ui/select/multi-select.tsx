import { Combobox } from '@base-ui/react/combobox'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { Check, Plus, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { usePhone } from '../../../lib/browser/media-query.ts'
import { cx } from '../../../lib/cx.ts'
import { useFieldControl, useFieldName } from '../field/field.tsx'
import { optionClass, optionListClass } from './option.ts'

export interface MultiSelectProps {
  readonly values: readonly string[]
  readonly onValuesChange: (values: readonly string[]) => void
  readonly options: readonly string[]
  readonly placeholder?: string
  /** Lets the person add values the list does not have; several at once, split at commas and line ends. */
  readonly creatable?: boolean
  /** Model names, keys: fixed-width letters. */
  readonly mono?: boolean
  readonly disabled?: boolean
  readonly 'aria-label'?: string
}

/** Chips that are shown before the rest is folded. */
const foldedChips = { desk: 40, phone: 12 } as const

/** Splits typed or pasted text into values: trimmed, none empty, none twice. Exported for its test. */
export function splitValues(text: string, existing: readonly string[]): readonly string[] {
  const seen = new Set(existing)
  return text
    .split(/[,\n，]/)
    .map((value) => value.trim())
    .filter((value) => value !== '' && !seen.has(value) && seen.add(value))
}

/** Several of many as chips, with search; Backspace takes the last one back. */
export function MultiSelect(props: MultiSelectProps) {
  const { values, onValuesChange, options, creatable = false, mono = false, disabled = false } = props
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLDivElement>(null)
  const scroller = useRef<OptionScroller>(null)

  // Chosen values outside the list stay in it, so that they can be taken out again from there.
  const known = useMemo(() => [...new Set([...options, ...values])], [options, values])
  const typed = query.trim()
  const offersNew = creatable && typed !== '' && !known.includes(typed)

  function addTyped(text: string): void {
    const added = splitValues(text, values)
    if (added.length > 0) onValuesChange([...values, ...added])
    setQuery('')
  }

  return (
    <Combobox.Root<string, true>
      multiple
      items={offersNew ? [...known, typed] : known}
      value={[...values]}
      onValueChange={(next) => {
        onValuesChange(
          next.flatMap((value) => (known.includes(value) ? [value] : splitValues(value, values))),
        )
        setQuery('')
      }}
      inputValue={query}
      onInputValueChange={setQuery}
      onOpenChange={setOpen}
      virtualized
      onItemHighlighted={(_, { reason, index }) => {
        // After it was drawn: an arrow key may reach beyond what is.
        if (reason === 'keyboard' && index >= 0) queueMicrotask(() => scroller.current?.show(index))
      }}
      disabled={disabled}
      autoHighlight
    >
      <Combobox.Chips
        ref={anchor}
        aria-label={values.length > 0 ? t('multiSelect.selected', { count: values.length }) : undefined}
        className="field flex min-h-control w-full cursor-text flex-wrap items-center gap-1 p-1"
      >
        <Chips values={values} mono={mono} />
        <QueryInput {...props} query={query} open={open} onClear={() => setQuery('')} onAdd={addTyped} />
      </Combobox.Chips>
      <OptionPopup
        anchor={anchor}
        scroller={scroller}
        mono={mono}
        offered={offersNew ? typed : undefined}
        label={props['aria-label']}
      />
    </Combobox.Root>
  )
}

/** The chosen values; many are folded. */
function Chips({ values, mono }: { readonly values: readonly string[]; readonly mono: boolean }) {
  const { t } = useTranslation()
  const phone = usePhone()
  const [unfolded, setUnfolded] = useState(false)
  const chips = unfolded ? values : values.slice(0, phone ? foldedChips.phone : foldedChips.desk)
  return (
    <>
      {chips.map((value) => (
        <Combobox.Chip
          key={value}
          className={cx(
            'flex h-6 max-w-full items-center gap-0.5 rounded-sm bg-hover pr-0.5 pl-2 text-xs outline-none focus-within:bg-accent-soft focus-within:text-accent-text data-highlighted:bg-accent-soft max-sm:h-9',
            mono && 'font-mono',
          )}
        >
          <span className="truncate">{value}</span>
          <Combobox.ChipRemove
            aria-label={t('multiSelect.remove', { value })}
            className="grid size-5 place-items-center rounded-sm text-muted hover:text-text max-sm:size-9"
          >
            <X className="size-3" aria-hidden />
          </Combobox.ChipRemove>
        </Combobox.Chip>
      ))}
      {values.length > chips.length && (
        <button
          type="button"
          className="h-6 rounded-sm px-2 text-accent-text text-xs hover:underline"
          onClick={() => setUnfolded(true)}
        >
          {t('multiSelect.more', { count: values.length - chips.length })}
        </button>
      )}
    </>
  )
}

interface QueryInputProps extends MultiSelectProps {
  readonly query: string
  /** The list is open. */
  readonly open: boolean
  readonly onClear: () => void
  readonly onAdd: (text: string) => void
}

/** The box to search in; a comma ends a new value, and a pasted list is added at once. */
function QueryInput(props: QueryInputProps) {
  const { values, placeholder, creatable = false, mono = false, query, open, onClear, onAdd } = props
  const { t } = useTranslation()
  const control = useFieldControl()
  // By reference: the open list hides the label's own element from screen readers.
  const accessibleName = useFieldName(props['aria-label'])

  /** While the list is closed Escape would empty the whole field: it takes back what was typed, else goes on. */
  function onClosedEscape(event: KeyboardEvent & { preventBaseUIHandler: () => void }): void {
    event.preventBaseUIHandler()
    if (query === '') return
    event.stopPropagation()
    onClear()
  }

  return (
    <Combobox.Input
      {...control}
      {...accessibleName}
      placeholder={values.length === 0 ? (placeholder ?? t('select.placeholder')) : ''}
      className={cx(
        'h-6 min-w-24 flex-1 bg-transparent px-1.5 text-sm outline-none max-sm:h-9',
        mono && 'font-mono',
      )}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text')
        if (!creatable || !/[,\n，]/.test(text)) return
        event.preventDefault()
        onAdd(text)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !open) onClosedEscape(event)
        if (!creatable || event.nativeEvent.isComposing || (event.key !== ',' && event.key !== '，')) return
        event.preventDefault()
        onAdd(query)
      }}
    />
  )
}

interface OptionPopupProps extends Omit<VirtualOptionsProps, 'children'> {
  readonly anchor: RefObject<HTMLDivElement | null>
  /** A typed value that is not in the list yet. */
  readonly offered: string | undefined
}

function OptionPopup({ anchor, offered, ...options }: OptionPopupProps) {
  const { t } = useTranslation()
  return (
    <Combobox.Portal>
      <Combobox.Positioner
        anchor={anchor}
        align="start"
        sideOffset={4}
        collisionPadding={8}
        className="z-50 outline-none"
      >
        <Combobox.Popup className="floating appear w-(--anchor-width) overflow-hidden rounded outline-none">
          <Combobox.Empty>
            <p className="px-3 py-3 text-muted text-sm">{t('select.nothingFound')}</p>
          </Combobox.Empty>
          <VirtualOptions {...options}>
            {(value) => (
              <>
                {value === offered ? (
                  <>
                    <Plus className="size-3.5 shrink-0 text-muted" aria-hidden />
                    <span className="min-w-0 flex-1 truncate font-sans">
                      {t('multiSelect.create', { value })}
                    </span>
                  </>
                ) : (
                  <span className="min-w-0 flex-1 truncate">{value}</span>
                )}
                <Combobox.ItemIndicator>
                  <Check className="size-3.5 shrink-0 text-accent-text" aria-hidden />
                </Combobox.ItemIndicator>
              </>
            )}
          </VirtualOptions>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  )
}

/** Scrolls an option into sight that may not be drawn yet. */
interface OptionScroller {
  readonly show: (index: number) => void
}

interface VirtualOptionsProps {
  readonly scroller: Ref<OptionScroller>
  readonly mono: boolean
  /** Names the list outside of a field. */
  readonly label: string | undefined
  readonly children: (value: string) => ReactNode
}

const optionHeight = 32
const listPadding = 4

/** The list of a `virtualized` combobox: only those near what is in sight are drawn, each says which of how many it is. */
function VirtualOptions({ scroller, mono, label, children }: VirtualOptionsProps) {
  const values: readonly string[] = Combobox.useFilteredItems<string>()
  const accessibleName = useFieldName(label)
  const box = useRef<HTMLDivElement>(null)
  const virtualizer: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    count: values.length,
    getScrollElement: () => box.current,
    estimateSize: () => optionHeight,
    overscan: 10,
    paddingStart: listPadding,
    paddingEnd: listPadding,
    scrollPaddingStart: listPadding,
    scrollPaddingEnd: listPadding,
  })
  useImperativeHandle(scroller, () => ({ show: (index) => virtualizer.scrollToIndex(index) }), [virtualizer])
  return (
    <Combobox.List ref={box} {...accessibleName} className={cx(optionListClass, 'py-0!')}>
      <div
        role="presentation"
        className="relative"
        style={{ height: values.length === 0 ? 0 : virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const value = values[index]
          return (
            value !== undefined && (
              <Combobox.Item
                key={value}
                ref={virtualizer.measureElement}
                data-index={index}
                index={index}
                value={value}
                aria-setsize={values.length}
                aria-posinset={index + 1}
                className={cx(optionClass, 'absolute inset-x-0 top-0', mono && 'font-mono text-xs')}
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(value)}
              </Combobox.Item>
            )
          )
        })}
      </div>
    </Combobox.List>
  )
}
