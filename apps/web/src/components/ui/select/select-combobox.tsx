import { Combobox } from '@base-ui/react/combobox'
import { Check } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'
import { useFieldControl, useFieldName } from '../field/field.tsx'
import { optionClass, optionListClass } from './option.ts'
import { SelectFace, type SelectOption, type SelectProps, selectTriggerClass } from './select-face.tsx'

export interface SelectComboboxProps<Value extends string | number> extends SelectProps<Value> {
  /** It takes the place of a button that had the focus, or that was pressed. */
  readonly startsFocused: boolean
  readonly startsOpen: boolean
}

/** The select itself, with the list that it opens; loaded with the first one that is used. */
export function SelectCombobox<Value extends string | number>(props: SelectComboboxProps<Value>) {
  const { startsFocused, value, onValueChange, options, placeholder, disabled = false, className } = props
  const { t } = useTranslation()
  const control = useFieldControl()
  const accessibleName = useFieldName(props['aria-label'])
  const trigger = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // The focus went with the button, unless it had gone elsewhere before.
    if (startsFocused && document.activeElement === document.body)
      trigger.current?.focus({ preventScroll: true })
  }, [startsFocused])
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
      defaultOpen={props.startsOpen}
      disabled={disabled}
      autoHighlight
    >
      <Combobox.Trigger
        {...control}
        aria-label={props['aria-label']}
        ref={trigger}
        className={cx(selectTriggerClass, className)}
      >
        <SelectFace text={selected?.label} placeholder={placeholder} />
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
            <Combobox.List {...accessibleName} className={optionListClass}>
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
