import { type QueryKey, useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePhone } from '../../lib/browser/media-query.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { Button } from '../ui/button.tsx'
import { FilterChip } from '../ui/filter-bar.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import type { Choice } from '../ui/select/choice-list.tsx'

// What a press opens is loaded by it.
const ChoiceList = lazyComponent(() => import('../ui/select/choice-list.tsx'), 'ChoiceList')

/** Query of choices, with the key under which they are cached. */
export interface ChoicesQuery {
  readonly queryKey: QueryKey
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly Choice[]>
}

/** One way to narrow a list. Texts are already translated. */
export interface ListFilter {
  /** Its name in the address. */
  readonly name: string
  readonly label: string
  /** Known at once, or asked for when the filter is opened. */
  readonly choices: readonly Choice[] | ChoicesQuery
  /** Said in the box over the choices. */
  readonly placeholder: string
  /** Value of typed text that matches no choice; without it the filter takes choices alone. */
  readonly typed?: (text: string) => string | undefined
  readonly mono?: boolean
}

export interface ListFiltersProps {
  readonly filters: readonly ListFilter[]
  readonly chosenOf: (name: string) => string | undefined
  readonly onChange: (name: string, value: string | undefined) => void
  /** Filters of another form, such as a stretch of time. */
  readonly children?: ReactNode
}

/** The filters of a list: chips in a row, or a sheet of them on a phone. */
export function ListFilters(props: ListFiltersProps) {
  const { t } = useTranslation()
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  if (!phone) return <FilterChips {...props} />
  const count = props.filters.filter(({ name }) => props.chosenOf(name) !== undefined).length
  return (
    <>
      <Button icon={SlidersHorizontal} onClick={() => setOpen(true)}>
        {count === 0 ? t('list.filters') : t('list.filtersActive', { count })}
      </Button>
      {open && (
        <Sheet open onClose={() => setOpen(false)} title={t('list.filters')}>
          <div className="flex flex-col items-start gap-3">
            <FilterChips {...props} />
          </div>
        </Sheet>
      )}
    </>
  )
}

/** The filters of a list as chips. */
export function FilterChips({ filters, chosenOf, onChange, children }: ListFiltersProps) {
  return (
    <>
      {children}
      {filters.map((filter) => (
        <Chip key={filter.name} filter={filter} value={chosenOf(filter.name)} onChange={onChange} />
      ))}
    </>
  )
}

interface ChipProps extends Pick<ListFiltersProps, 'onChange'> {
  readonly filter: ListFilter
  readonly value: string | undefined
}

function Chip({ filter, value, onChange }: ChipProps) {
  const { name, label, mono = false } = filter
  return (
    <FilterChip
      label={label}
      value={value === undefined ? undefined : <ChosenText filter={filter} value={value} />}
      onClear={() => onChange(name, undefined)}
      {...(mono && { className: 'w-80' })}
    >
      {(close) => (
        <Choices
          filter={filter}
          value={value}
          onChoose={(chosen) => {
            onChange(name, chosen)
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

/** The label of what is chosen. Its choices are asked for: an address may name one before the list was ever opened. */
function ChosenText({ filter, value }: { readonly filter: ListFilter; readonly value: string }) {
  const choices = useChoices(filter)
  return choices.find((choice) => choice.value === value)?.label ?? value
}

const none: readonly Choice[] = []
const noChoicesQuery: ChoicesQuery = { queryKey: ['choices', 'none'], queryFn: async () => none }

function useChoices({ choices }: ListFilter): readonly Choice[] {
  const isRequested = 'queryKey' in choices
  const { data } = useQuery({ ...(isRequested ? choices : noChoicesQuery), enabled: isRequested })
  return isRequested ? (data ?? none) : choices
}

interface ChoicesProps {
  readonly filter: ListFilter
  readonly value: string | undefined
  readonly onChoose: (value: string) => void
}

function Choices({ filter, ...rest }: ChoicesProps) {
  const { placeholder, typed, mono = false } = filter
  const choices = useChoices(filter)
  return (
    <Suspense>
      <ChoiceList {...rest} choices={choices} placeholder={placeholder} mono={mono} typed={typed} />
    </Suspense>
  )
}
