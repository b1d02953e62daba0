import { useQuery } from '@tanstack/react-query'
import { logTypes } from '@tollgate/api'
import { Pause, Play, RotateCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type TableView, TableViewMenu } from '../../../components/data-table/index.ts'
import { buttonClass, IconButton } from '../../../components/ui/button.tsx'
import { type Choice, ChoiceList } from '../../../components/ui/choice-list.tsx'
import { FilterBar } from '../../../components/ui/filter-bar.tsx'
import { FilterChip } from '../../../components/ui/filter-chip.tsx'
import { cx } from '../../../lib/cx.ts'
import { channelChoicesQuery, groupChoicesQuery, modelChoicesQuery, tokenChoicesQuery } from '../api.ts'
import { isRequestId } from '../entry/request-id.ts'
import { type LogFilter, modelPattern, patternText } from '../log-filter.ts'
import type { LogRow } from '../log-row.ts'
import { TimeFilter } from './time-filter.tsx'

export interface LogFiltersProps {
  readonly filter: LogFilter
  readonly onChange: (part: LogFilter) => void
  /** A request id was typed: show that call. */
  readonly onOpen: (requestId: string) => void
  readonly admin: boolean
  readonly view: TableView<LogRow>
  readonly fetching: boolean
  readonly onRefresh: () => void
  readonly following: boolean
  readonly onFollow: (on: boolean) => void
}

/** One row of what narrows the list, and how it is looked at. */
export function LogFilters(props: LogFiltersProps) {
  const { filter, onChange, onOpen, admin } = props
  const { t } = useTranslation('logs')
  return (
    <FilterBar
      search={{
        value: patternText(filter.model) ?? '',
        placeholder: t('filter.search'),
        onSearch: (text) => (isRequestId(text) ? onOpen(text) : onChange({ model: modelPattern(text) })),
      }}
      end={<ViewControls {...props} />}
    >
      <TimeFilter times={filter} onChange={onChange} />
      <TypeChip filter={filter} onChange={onChange} />
      <Chip
        label={t('filter.model')}
        value={patternText(filter.model) === undefined ? filter.model : undefined}
        onChange={(model) => onChange({ model })}
        wide
      >
        {(close) => <ModelChoices value={filter.model} onChoose={close} />}
      </Chip>
      <Chip label={t('filter.token')} value={filter.token} onChange={(token) => onChange({ token })}>
        {(close) => <TokenChoices value={filter.token} onChoose={close} />}
      </Chip>
      <Chip label={t('filter.group')} value={filter.group} onChange={(group) => onChange({ group })}>
        {(close) => <GroupChoices admin={admin} value={filter.group} onChoose={close} />}
      </Chip>
      {admin && <AdminChips filter={filter} onChange={onChange} />}
    </FilterBar>
  )
}

/** Follow, read again, columns. */
function ViewControls({ following, onFollow, fetching, onRefresh, view }: LogFiltersProps) {
  const { t } = useTranslation('logs')
  const Icon = following ? Pause : Play
  return (
    <>
      <button
        type="button"
        aria-pressed={following}
        title={t('follow.hint')}
        onClick={() => onFollow(!following)}
        className={buttonClass('ghost', 'md', cx(following && 'bg-accent-soft! text-accent-text!'))}
      >
        <Icon className="size-3.5" aria-hidden />
        {t('follow.label')}
      </button>
      <IconButton icon={RotateCw} label={t('refresh')} loading={fetching && !following} onClick={onRefresh} />
      <TableViewMenu view={view} />
    </>
  )
}

interface ChipProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  readonly wide?: boolean
  readonly children: (choose: (value: string) => void) => ReactNode
}

/** A filter that is one text. */
function Chip({ label, value, onChange, wide = false, children }: ChipProps) {
  return (
    <FilterChip
      label={label}
      value={value}
      onClear={() => onChange(undefined)}
      {...(wide && { className: 'w-80' })}
    >
      {(close) =>
        children((chosen) => {
          onChange(chosen)
          close()
        })
      }
    </FilterChip>
  )
}

type PartProps = Pick<LogFiltersProps, 'filter' | 'onChange'>

function TypeChip({ filter, onChange }: PartProps) {
  const { t } = useTranslation('logs')
  const choices = Object.entries(logTypes).map(([name, type]) => ({
    value: String(type),
    label: t(`type.${name as keyof typeof logTypes}`),
  }))
  const chosen = choices.find(({ value }) => value === String(filter.type))
  return (
    <FilterChip
      label={t('filter.type')}
      value={filter.type === undefined ? undefined : (chosen?.label ?? String(filter.type))}
      onClear={() => onChange({ type: undefined })}
    >
      {(close) => (
        <ChoiceList
          choices={choices}
          value={chosen?.value}
          placeholder={t('filter.chooseType')}
          onChoose={(type) => {
            onChange({ type: Number(type) })
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

function AdminChips({ filter, onChange }: PartProps) {
  const { t } = useTranslation('logs')
  return (
    <>
      <Chip
        label={t('filter.channel')}
        value={filter.channel === undefined ? undefined : `#${filter.channel}`}
        onChange={(channel) => onChange({ channel: channel === undefined ? undefined : Number(channel) })}
        wide
      >
        {(choose) => <ChannelChoices value={filter.channel?.toString()} onChoose={choose} />}
      </Chip>
      <Chip label={t('filter.user')} value={filter.user} onChange={(user) => onChange({ user })}>
        {(choose) => <UserName value={filter.user} onChoose={choose} />}
      </Chip>
    </>
  )
}

// What a chip offers is asked for when it is opened, not with the page.
interface ChoicesProps {
  readonly value: string | undefined
  readonly onChoose: (value: string) => void
}

const asTyped = (text: string) => text

function ModelChoices(props: ChoicesProps) {
  const { t } = useTranslation('logs')
  const { data = none } = useQuery(modelChoicesQuery)
  return (
    <ChoiceList {...props} choices={data} typed={modelPattern} mono placeholder={t('filter.chooseModel')} />
  )
}

function TokenChoices(props: ChoicesProps) {
  const { t } = useTranslation('logs')
  const { data = none } = useQuery(tokenChoicesQuery)
  return <ChoiceList {...props} choices={data} typed={asTyped} placeholder={t('filter.chooseToken')} />
}

function GroupChoices({ admin, ...props }: ChoicesProps & { readonly admin: boolean }) {
  const { t } = useTranslation('logs')
  const { data = none } = useQuery(groupChoicesQuery(admin))
  return <ChoiceList {...props} choices={data} typed={asTyped} placeholder={t('filter.chooseGroup')} />
}

function ChannelChoices(props: ChoicesProps) {
  const { t } = useTranslation('logs')
  const { data = none } = useQuery(channelChoicesQuery)
  return (
    <ChoiceList {...props} choices={data} typed={channelNumber} placeholder={t('filter.chooseChannel')} />
  )
}

/** `7` and `#7`. */
function channelNumber(text: string): string | undefined {
  return /^#?(\d{1,9})$/.exec(text)?.[1]
}

function UserName({ value, onChoose }: ChoicesProps) {
  const { t } = useTranslation('logs')
  const [known] = useState(() => (value === undefined ? none : [{ value }]))
  return (
    <ChoiceList
      choices={known}
      value={value}
      onChoose={onChoose}
      typed={asTyped}
      placeholder={t('filter.typeUser')}
    />
  )
}

const none: readonly Choice[] = []
