import { useTranslation } from 'react-i18next'
import type { FieldRow } from './fields.ts'

/** Fields with their types and limits: a table on a desk, a list on a phone. */
export function FieldsTable({
  rows,
  caption,
}: {
  readonly rows: readonly FieldRow[]
  readonly caption: string
}) {
  const { t } = useTranslation('docs')
  return (
    <div className="min-w-0">
      <h4 className="mb-1.5 font-semibold text-xs">{caption}</h4>
      <ul className="divide-y rounded border bg-surface text-xs">
        {rows.map(({ name, type, required, limits }) => (
          <li
            key={name}
            className="grid grid-cols-[minmax(0,16rem)_minmax(0,9rem)_minmax(0,1fr)] gap-x-4 px-3 py-1.5 max-sm:flex max-sm:flex-wrap"
          >
            <span className="break-words font-mono max-sm:w-full">
              {name}
              {required && (
                <span className="text-bad" title={t('required')}>
                  <span aria-hidden>*</span>
                  <span className="sr-only">{t('required')}</span>
                </span>
              )}
            </span>
            <span className="break-words font-mono text-muted">{type}</span>
            <span className="break-words text-muted">{limits.join(', ')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
