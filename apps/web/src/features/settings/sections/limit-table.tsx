import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input, NumberInput } from '../../../components/ui/field/input.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { groupsQuery } from '../../../lib/api/account.ts'
import { JsonToggle, useSettingText } from '../fields/json-toggle.tsx'
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
            <fieldset disabled={lock !== undefined} className="flex flex-col gap-2">
              {rows.size > 0 && <LimitRows map={map} rows={rows} onChange={write} />}
              <AddRow
                map={map}
                taken={[...rows.keys()]}
                onAdd={(name) => write(new Map([...rows, [name, map.first]]))}
              />
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
  const figuresWith = (figures: readonly number[], index: number, value: number | undefined) =>
    figures.map((figure, each) => (each === index ? (value ?? 0) : figure))
  return (
    <div className="edge-shadows overflow-x-auto">
      <table className="w-full text-sm">
        <thead className="text-left text-muted text-xs">
          <tr>
            <th className="pr-3 pb-1.5 font-medium">{t(`rows.name.${names}`)}</th>
            {columns.map((column) => (
              <th key={column} className="pr-3 pb-1.5 font-medium">
                {t(`rows.column.${column}`)}
              </th>
            ))}
            <th className="w-8 pb-1.5">
              <span className="sr-only">{t('groups.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([name, figures]) => (
            <tr key={name} className="align-middle">
              <th
                scope="row"
                className="max-w-40 truncate py-1 pr-3 text-left font-medium font-mono text-xs"
                title={name}
              >
                {name}
              </th>
              {columns.map((column, index) => (
                <td key={column} className="min-w-24 py-1 pr-3">
                  <NumberInput
                    decimal={column === 'ratio'}
                    min={0}
                    aria-label={`${name}: ${t(`rows.column.${column}`)}`}
                    value={figures[index]}
                    onValueChange={(value) =>
                      onChange(new Map(rows).set(name, figuresWith(figures, index, value)))
                    }
                  />
                </td>
              ))}
              <td className="py-1">
                <IconButton
                  label={t('groups.remove', { name })}
                  icon={Trash2}
                  onClick={() => onChange(new Map([...rows].filter(([other]) => other !== name)))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface AddRowProps {
  readonly map: LimitMap
  readonly taken: readonly string[]
  readonly onAdd: (name: string) => void
}

function AddRow({ map, taken, onAdd }: AddRowProps) {
  const { t } = useTranslation('settings')
  return map.names === 'group' ? (
    <GroupChoice taken={taken} onAdd={onAdd} label={t('rows.addGroup')} />
  ) : (
    <ModelName taken={taken} onAdd={onAdd} label={t('rows.addModel')} />
  )
}

interface AddNameProps extends Omit<AddRowProps, 'map'> {
  readonly label: string
}

/** The groups that have no row yet. */
function GroupChoice({ taken, onAdd, label }: AddNameProps) {
  const { data: groups = [] } = useQuery(groupsQuery)
  const left = groups.filter((group) => !taken.includes(group))
  if (left.length === 0) return null
  return (
    <Select
      className="max-w-64"
      value={undefined}
      aria-label={label}
      placeholder={label}
      onValueChange={onAdd}
      options={left.map((group) => ({ value: group, label: group }))}
    />
  )
}

function ModelName({ taken, onAdd, label }: AddNameProps) {
  const { t } = useTranslation('settings')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  function add(): void {
    const wanted = name.trim()
    if (wanted === '' || taken.includes(wanted)) {
      setProblem(t(wanted === '' ? 'rows.nameMissing' : 'rows.nameTaken'))
      return
    }
    onAdd(wanted)
    setName('')
  }
  return (
    <Field label={t('rows.name.model')} error={problem}>
      <span className="flex gap-2">
        <Input
          mono
          className="max-w-64"
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <Button icon={Plus} onClick={add}>
          {label}
        </Button>
      </span>
    </Field>
  )
}
