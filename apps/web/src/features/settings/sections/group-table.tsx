import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input, NumberInput } from '../../../components/ui/field/input.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { JsonToggle, useSettingText } from '../fields/json-toggle.tsx'
import { mapObject, readMap } from '../model/json-maps.ts'
import { useSettings } from '../settings-context.ts'

type Entries = ReadonlyMap<string, unknown>

/** Ratios of the groups and which of them everyone may choose, as one table. */
export function GroupTable() {
  const { t } = useTranslation('settings')
  const ratioText = useSettingText('GroupRatio')
  const usableText = useSettingText('UserUsableGroups')
  const ratios = readMap(ratioText.text)
  const usable = readMap(usableText.text)
  const lock = useSettings().lockOf('GroupRatio')
  return (
    <>
      {lock && <Notice tone="info">{t(lock)}</Notice>}
      <p className="text-muted text-xs">{t('groups.hint')}</p>
      <JsonToggle
        keys={['GroupRatio', 'UserUsableGroups']}
        readable={ratios !== undefined && usable !== undefined}
        problems={[ratioText.error, usableText.error]}
      >
        {() =>
          ratios &&
          usable && (
            <fieldset disabled={lock !== undefined} className="contents">
              <GroupRows
                ratios={ratios}
                usable={usable}
                onRatios={(next) => ratioText.change(mapObject(next))}
                onUsable={(next) => usableText.change(mapObject(next))}
              />
            </fieldset>
          )
        }
      </JsonToggle>
    </>
  )
}

interface GroupRowsProps {
  readonly ratios: Entries
  readonly usable: Entries
  readonly onRatios: (next: Entries) => void
  readonly onUsable: (next: Entries) => void
}

function GroupRows(props: GroupRowsProps) {
  const { t } = useTranslation('settings')
  const { ratios, usable, onRatios } = props
  const names = [...new Set([...ratios.keys(), ...usable.keys()])]

  return (
    <>
      <div className="edge-shadows overflow-x-auto">
        <table className="w-full min-w-[34rem] text-sm">
          <thead className="text-left text-muted text-xs">
            <tr>
              <th className="pr-3 pb-1.5 font-medium">{t('groups.name')}</th>
              <th className="w-28 pr-3 pb-1.5 font-medium">{t('groups.ratio')}</th>
              <th className="pr-3 pb-1.5 font-medium">{t('groups.description')}</th>
              <th className="w-8 pb-1.5">
                <span className="sr-only">{t('groups.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <GroupRow key={name} name={name} {...props} />
            ))}
          </tbody>
        </table>
      </div>
      <AddGroup
        names={names}
        onAdd={(name) => {
          onRatios(new Map([...ratios, [name, 1]]))
        }}
      />
    </>
  )
}

function GroupRow({ name, ratios, usable, onRatios, onUsable }: GroupRowsProps & { readonly name: string }) {
  const { t } = useTranslation('settings')
  const ratio = ratios.get(name)
  const description = usable.get(name)
  const without = (map: Entries) => new Map([...map].filter(([other]) => other !== name))
  return (
    <tr className="align-middle">
      <th scope="row" className="py-1 pr-3 text-left font-medium font-mono text-xs">
        {name}
      </th>
      <td className="py-1 pr-3">
        <NumberInput
          decimal
          aria-label={t('groups.ratioOf', { name })}
          value={typeof ratio === 'number' ? ratio : undefined}
          onValueChange={(next) => onRatios(new Map(ratios).set(name, next ?? null))}
        />
      </td>
      <td className="py-1 pr-3">
        <span className="flex items-center gap-2">
          <Checkbox
            aria-label={t('groups.offer', { name })}
            checked={usable.has(name)}
            onCheckedChange={(on) => onUsable(on ? new Map(usable).set(name, name) : without(usable))}
          />
          <Input
            aria-label={t('groups.descriptionOf', { name })}
            disabled={!usable.has(name)}
            value={typeof description === 'string' ? description : ''}
            onChange={(event) => onUsable(new Map(usable).set(name, event.target.value))}
          />
        </span>
      </td>
      <td className="py-1">
        <IconButton
          label={t('groups.remove', { name })}
          icon={Trash2}
          disabled={name === 'default'}
          onClick={() => {
            if (ratios.has(name)) onRatios(without(ratios))
            if (usable.has(name)) onUsable(without(usable))
          }}
        />
      </td>
    </tr>
  )
}

function AddGroup({
  names,
  onAdd,
}: {
  readonly names: readonly string[]
  readonly onAdd: (name: string) => void
}) {
  const { t } = useTranslation('settings')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  function add(): void {
    const wanted = name.trim()
    if (wanted === '') {
      setProblem(t('groups.nameMissing'))
      return
    }
    if (names.includes(wanted)) {
      setProblem(t('groups.nameTaken'))
      return
    }
    onAdd(wanted)
    setName('')
  }
  return (
    <Field label={t('groups.new')} error={problem}>
      <span className="flex gap-2">
        <Input
          className="max-w-64"
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <Button icon={Plus} onClick={add}>
          {t('groups.add')}
        </Button>
      </span>
    </Field>
  )
}
