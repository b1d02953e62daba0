import { type AuditRecordRow, gatewayActorName } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FirstOf } from '../../components/ui/first-of.tsx'
import { localList, localListSeparator } from '../../i18n/local-list.ts'
import { knownAction, knownKind } from './api.ts'
import { changesOf } from './difference.ts'
import { useFieldName } from './use-field-name.ts'

interface CellProps {
  readonly record: AuditRecordRow
}

/** Shows an act in words; an act of another version by the word it was written with. */
export function ActionCell({ record }: CellProps) {
  const { t } = useTranslation('audit')
  const action = knownAction(record.action)
  return action ? t(`action.${action}`) : <span className="font-mono text-xs">{record.action}</span>
}

/** Shows the actor, under their name of that time. */
export function Actor({ record: { actor_id, actor_name } }: CellProps) {
  const { t } = useTranslation('audit')
  return actor_id === 0 && actor_name === gatewayActorName ? t('kind.gateway') : actor_name
}

/** Shows the actor on one line. */
export function ActorCell({ record }: CellProps) {
  return (
    <span className="block max-w-48 truncate max-sm:max-w-full" title={record.actor_name}>
      <Actor record={record} />
    </span>
  )
}

/** Shows the target of an act on one line. */
export function TargetCell({ record }: CellProps) {
  return (
    <span
      className="block max-w-80 truncate max-[960px]:max-w-64 max-sm:max-w-full"
      title={record.target_name}
    >
      <Target record={record} />
    </span>
  )
}

/** Shows the target of an act: kind, name and number. */
export function Target({ record }: CellProps) {
  const { t } = useTranslation('audit')
  const kind = knownKind(record.target_kind)
  return (
    <>
      <span className="mr-0.5 text-muted">{kind ? t(`kind.${kind}`) : record.target_kind}</span>{' '}
      {kind !== 'log' && record.target_name}
      {record.target_id !== 0 && (
        <span className="figures ml-0.5 text-muted text-xs"> #{record.target_id}</span>
      )}
    </>
  )
}

const maxNamed = 3

/** Shows the changed fields: the first of them by name. */
export function ChangesCell({ record }: CellProps) {
  const { t } = useTranslation('audit')
  const nameOf = useFieldName(record.target_kind)
  const names = changesOf(record).map(({ name }) => nameOf(name))
  if (names.length === 0) return <span className="text-muted">{t('difference.nothing')}</span>
  return (
    <span className="block max-w-72 truncate text-muted max-sm:max-w-full" title={localList(names)}>
      <FirstOf items={names} max={maxNamed} more={(count) => ` ${t('difference.more', { count })}`}>
        {(name, index) => (index === 0 ? name : localListSeparator() + name)}
      </FirstOf>
    </span>
  )
}
