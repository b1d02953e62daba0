import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NumberInput } from '../../../components/ui/field/input.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { groupsQuery } from '../../../lib/api/account.ts'
import { JsonToggle, useSettingText } from '../fields/json-toggle.tsx'
import { NameTable, NewName } from '../fields/name-table.tsx'
import type { VisibleKey } from '../model/catalogue.ts'
import { mapObject, readMap } from '../model/json-maps.ts'
import { type LimitMap, readLimits } from '../model/limit-maps.ts'
import { useSettings } from '../settings-context.ts'

interface LimitTableProps {
  readonly setting: VisibleKey
  readonly map: LimitMap
}

type Rows = ReadonlyMap<string, readonly number[]>

/** A map of limits, a row for each group or model. */
export function LimitTable({ setting, map }: LimitTableProps) {
  const { t } = useTranslation('settings')
  const { text, error, change } = useSettingText(setting)
  const lock = useSettings().lockOf(setting)
  const rows = readLimits(map, readMap(text.trim() === '' ? '{}' : text))
  const write = (next: Rows) =>
    change(mapObject(new Map([...next].map(([name, figures]) => [name, map.write(figures)]))))
  const add = (name: string) => rows && write(new Map([...rows, [name, map.first]]))
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">{t(`field.${setting}.label`)}</h3>
      <p className="text-muted text-xs">
        {t(`rows.${setting as 'GroupRateLimits'}`)}
        {lock && ` ${t(lock)}`}
      </p>
      <JsonToggle keys={[setting]} readable={rows !== undefined} problems={[error]}>
        {() =>
          rows && (
            <fieldset disabled={lock !== undefined} className="flex min-w-0 flex-col gap-2">
              {rows.size > 0 && <LimitRows map={map} rows={rows} onChange={write} />}
              {map.names === 'group' ? (
                <GroupChoice taken={[...rows.keys()]} onAdd={add} />
              ) : (
                <NewName names="model" taken={[...rows.keys()]} onAdd={add} />
              )}
            </fieldset>
          )
        }
      </JsonToggle>
    </div>
  )
}

interface LimitRowsProps {
  readonly map: LimitMap
  readonly rows: Rows
  readonly onChange: (next: Rows) => void
}

function LimitRows({ map: { names, columns }, rows, onChange }: LimitRowsProps) {
  const { t } = useTranslation('settings')
  return (
    <NameTable
      nameHeader={t(`rows.name.${names}`)}
      names={[...rows.keys()]}
      columns={columns.map((column, index) => ({
        id: column,
        header: t(`rows.column.${column}`),
        width: 'min-w-24',
        cell: (name) => (
          <NumberInput
            decimal={column === 'ratio'}
            min={0}
            aria-label={`${name}: ${t(`rows.column.${column}`)}`}
            value={rows.get(name)?.[index]}
            onValueChange={(value) =>
              onChange(new Map(rows).set(name, withFigure(rows.get(name), index, value)))
            }
          />
        ),
      }))}
      onRemove={(name) => onChange(new Map([...rows].filter(([other]) => other !== name)))}
    />
  )
}

const withFigure = (figures: readonly number[] = [], index: number, value = 0): readonly number[] =>
  figures.map((figure, each) => (each === index ? value : figure))

interface GroupChoiceProps {
  readonly taken: readonly string[]
  readonly onAdd: (name: string) => void
}

/** The groups that have no row yet. */
function GroupChoice({ taken, onAdd }: GroupChoiceProps) {
  const { t } = useTranslation('settings')
  const { data: groups = [] } = useQuery(groupsQuery)
  const left = groups.filter((group) => !taken.includes(group))
  if (left.length === 0) return null
  return (
    <Select
      className="max-w-64"
      value={undefined}
      aria-label={t('rows.choose')}
      placeholder={t('rows.choose')}
      onValueChange={onAdd}
      options={left.map((group) => ({ value: group, label: group }))}
    />
  )
}
