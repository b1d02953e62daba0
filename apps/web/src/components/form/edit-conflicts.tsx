import type { EditConflict } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonRow } from '../ui/button.tsx'
import { Notice, NoValue } from '../ui/tag.tsx'

interface EditConflictsProps {
  readonly conflicts: readonly EditConflict[]
  readonly labelOf?: (field: string) => string
  readonly saving: boolean
  readonly keepMine: () => void
  readonly takeTheirs: () => void
}

/** Shows values that two people changed at once: both versions of each, and the choice between them. */
export function EditConflicts({ conflicts, saving, keepMine, takeTheirs, ...props }: EditConflictsProps) {
  const { t } = useTranslation('conflicts')
  const fieldName = useFieldName()
  const labelOf = props.labelOf ?? fieldName
  return (
    <div role="alert">
      <Notice tone="warn" title={t('title')}>
        <p>{t('text')}</p>
        <ul className="my-3 flex flex-col gap-3">
          {conflicts.map((conflict) => (
            <Conflict key={`${conflict.field} ${conflict.entry}`} conflict={conflict} labelOf={labelOf} />
          ))}
        </ul>
        <ButtonRow>
          <Button disabled={saving} onClick={takeTheirs}>
            {t('takeTheirs')}
          </Button>
          <Button variant="primary" loading={saving} onClick={keepMine}>
            {t('keepMine')}
          </Button>
        </ButtonRow>
      </Notice>
    </div>
  )
}

/** Names a field that two people have changed, or that all pages have. */
function useFieldName(): (field: string) => string {
  const { t, i18n } = useTranslation(['conflicts', 'fields'])
  return (field) => {
    if (i18n.exists(`field.${field}`, { ns: 'conflicts' })) return t(`field.${field as 'quota'}`)
    return i18n.exists(field, { ns: 'fields' }) ? t(`fields:${field as 'name'}`) : field
  }
}

interface ConflictProps {
  readonly conflict: EditConflict
  readonly labelOf: (field: string) => string
}

function Conflict({ conflict: { field, entry, current, sent }, labelOf }: ConflictProps) {
  const { t } = useTranslation('conflicts')
  return (
    <li className="flex flex-col gap-1">
      <p className="font-medium">
        {labelOf(field)}
        {entry !== undefined && <span className="ml-2 wrap-anywhere font-mono font-normal">{entry}</span>}
      </p>
      <dl className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
        <Version label={t('theirs')} value={current} />
        <Version label={t('mine')} value={sent} />
      </dl>
    </li>
  )
}

function Version({ label, value }: { readonly label: string; readonly value: unknown }): ReactNode {
  const text = textOf(value)
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="max-h-40 overflow-auto whitespace-pre-wrap break-words rounded border bg-surface px-2 py-1 font-mono text-xs">
        {text === '' ? <NoValue /> : text}
      </dd>
    </div>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}
