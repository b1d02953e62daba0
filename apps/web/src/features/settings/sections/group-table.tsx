import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Input, NumberInput } from '../../../components/ui/field/input.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { JsonToggle, useSettingText } from '../fields/json-toggle.tsx'
import { NameTable, NewName } from '../fields/name-table.tsx'
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

function GroupRows({ ratios, usable, onRatios, onUsable }: GroupRowsProps) {
  const { t } = useTranslation('settings')
  const names = [...new Set([...ratios.keys(), ...usable.keys()])]
  return (
    <>
      <NameTable
        nameHeader={t('rows.name.group')}
        names={names}
        fixedName="default"
        columns={[
          {
            id: 'ratio',
            header: t('groups.ratio'),
            width: 'w-28 min-w-24',
            cell: (name) => <Ratio name={name} ratios={ratios} onChange={onRatios} />,
          },
          {
            id: 'offer',
            header: t('groups.description'),
            width: 'min-w-60',
            cell: (name) => <Offer name={name} usable={usable} onChange={onUsable} />,
          },
        ]}
        onRemove={(name) => {
          if (ratios.has(name)) onRatios(without(ratios, name))
          if (usable.has(name)) onUsable(without(usable, name))
        }}
      />
      <NewName names="group" taken={names} onAdd={(name) => onRatios(new Map([...ratios, [name, 1]]))} />
    </>
  )
}

const without = (map: Entries, name: string): Entries => new Map([...map].filter(([other]) => other !== name))

interface RatioProps {
  readonly name: string
  readonly ratios: Entries
  readonly onChange: (next: Entries) => void
}

function Ratio({ name, ratios, onChange }: RatioProps) {
  const { t } = useTranslation('settings')
  const ratio = ratios.get(name)
  return (
    <NumberInput
      decimal
      aria-label={t('groups.ratioOf', { name })}
      value={typeof ratio === 'number' ? ratio : undefined}
      onValueChange={(next) => onChange(new Map(ratios).set(name, next ?? null))}
    />
  )
}

interface OfferProps {
  readonly name: string
  readonly usable: Entries
  readonly onChange: (next: Entries) => void
}

/** Choice whether everyone may use a group, with what they read about it. */
function Offer({ name, usable, onChange }: OfferProps) {
  const { t } = useTranslation('settings')
  const description = usable.get(name)
  return (
    <span className="flex items-center gap-2">
      <Checkbox
        aria-label={t('groups.offer', { name })}
        checked={usable.has(name)}
        onCheckedChange={(on) => onChange(on ? new Map(usable).set(name, name) : without(usable, name))}
      />
      <Input
        aria-label={t('groups.descriptionOf', { name })}
        disabled={!usable.has(name)}
        value={typeof description === 'string' ? description : ''}
        onChange={(event) => onChange(new Map(usable).set(name, event.target.value))}
      />
    </span>
  )
}
