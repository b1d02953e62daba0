import { Combobox } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { useFieldControl } from './field.tsx'

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

export const optionClass =
  'mx-1 flex cursor-default select-none items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover data-disabled:opacity-50 max-sm:min-h-11'
export const optionListClass = 'max-h-72 scroll-py-1 overflow-y-auto overscroll-contain py-1 empty:p-0'

/** One of many, with search. */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  const { value, onValueChange, options, placeholder, disabled = false, className } = props
  const { t } = useTranslation()
  const control = useFieldControl()
  const searchable = props.searchable ?? options.length >= 8
  const byValue = useMemo(() => new Map(options.map((option) => [option.value, option])), [options])
  const selected = value === undefined ? null : (byValue.get(value) ?? { value, label: String(value) })
  return (
    <Combobox.Root<SelectOption<Value>>
      items={options}
      value={selected}
      onValueChange={(option) => option && onValueChange(option.value)}
      isItemEqualToValue={(left, right) => left.value === right.value}
      itemToStringLabel={(option) => option.label}
      disabled={disabled}
      autoHighlight
    >
      <Combobox.Trigger
        {...control}
        aria-label={props['aria-label']}
        className={cx(
          'field flex h-control w-full min-w-0 items-center justify-between gap-2 px-2.5 text-left text-sm',
          className,
        )}
      >
        <span className={cx('min-w-0 truncate', !selected && 'text-faint')}>
          {selected?.label ?? placeholder ?? t('select.placeholder')}
        </span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-50 outline-none">
          <Combobox.Popup
            aria-label={props['aria-label'] ?? placeholder ?? t('select.placeholder')}
            className="floating appear w-max min-w-[max(var(--anchor-width),12rem)] max-w-[min(28rem,var(--available-width))] overflow-hidden rounded outline-none"
          >
            {searchable && (
              <Combobox.Input
                placeholder={t('select.search')}
                className="h-control w-full border-b bg-transparent px-3 text-sm outline-none"
              />
            )}
            <Combobox.Empty>
              <p className="px-3 py-3 text-muted text-sm">{t('select.nothingFound')}</p>
            </Combobox.Empty>
            <Combobox.List className={optionListClass}>
              {(option: SelectOption<Value>) => (
                <Combobox.Item key={option.value} value={option} className={optionClass}>
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{option.label}</span>
                    {option.hint && <span className="block truncate text-muted text-xs">{option.hint}</span>}
                  </span>
                  {option.aside}
                  <span className="size-3.5 shrink-0">
                    <Combobox.ItemIndicator>
                      <Check className="size-3.5 text-accent-text" aria-hidden />
                    </Combobox.ItemIndicator>
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
