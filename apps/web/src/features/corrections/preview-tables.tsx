import type { CorrectionPreview } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Stat } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { formatInteger } from '../../lib/format/format.ts'

/** Shows the effects of a correction: in sum, by model, and by user. */
export function PreviewTables({ preview }: { readonly preview: CorrectionPreview }) {
  const { t } = useTranslation('corrections')
  const { amount, users, models } = preview
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Stat label={t('result.changed')} hint={t('result.ofCalls', { calls: formatInteger(preview.calls) })}>
          {formatInteger(preview.changed)}
        </Stat>
        <Stat label={t('result.charged')}>
          <Money quota={preview.charged} single />
        </Stat>
        <Stat label={t('result.right')}>
          <Money quota={preview.right} single />
        </Stat>
        <Stat label={t(amount > 0 ? 'result.more' : 'result.back')}>
          <Money quota={Math.abs(amount)} single />
        </Stat>
      </div>
      {preview.unknown_calls > 0 && (
        <Notice tone="warn">
          {t('result.unknown', { count: preview.unknown_calls, calls: formatInteger(preview.unknown_calls) })}
        </Notice>
      )}
      {preview.credited_calls > 0 && (
        <Notice tone="warn">
          {t('result.credited', {
            count: preview.credited_calls,
            calls: formatInteger(preview.credited_calls),
          })}{' '}
          <Money quota={preview.credited_amount} exact single />
        </Notice>
      )}
      {preview.changed === 0 ? (
        <p className="text-muted text-sm">{t('result.nothing')}</p>
      ) : (
        <>
          <TotalTable
            label={t('result.byUser')}
            rows={users.map(({ id, username, ...total }) => ({
              key: id,
              name: `${username} (${id})`,
              ...total,
            }))}
          />
          {preview.changed_users > users.length && (
            <p className="text-muted text-xs">
              {t('result.moreUsers', { users: formatInteger(preview.changed_users - users.length) })}
            </p>
          )}
          <TotalTable
            label={t('result.byModel')}
            rows={models
              .filter(({ changed }) => changed > 0)
              .map(({ model_name, ...total }) => ({ key: model_name, name: model_name, ...total }))}
          />
        </>
      )}
    </div>
  )
}

interface TotalRow {
  readonly key: string | number
  readonly name: string
  readonly changed: number
  readonly charged: number
  readonly right: number
}

const figure = 'figures whitespace-nowrap py-1.5 pl-4 text-right'
/** A phone has no room for what the sums above and the other columns say. */
const spareFigure = `${figure} max-sm:hidden`

function TotalTable({ label, rows }: { readonly label: string; readonly rows: readonly TotalRow[] }) {
  const { t } = useTranslation('corrections')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
    <section aria-label={label} tabIndex={0} className="max-h-96 overflow-auto rounded">
      <table className="w-full text-sm">
        <caption className="pb-1 text-left font-medium">{label}</caption>
        <thead className="text-muted text-xs">
          <tr>
            <th scope="col" className="py-1 text-left font-normal">
              {t('result.name')}
            </th>
            <th scope="col" className={spareFigure}>
              {t('result.changed')}
            </th>
            <th scope="col" className={figure}>
              {t('result.charged')}
            </th>
            <th scope="col" className={spareFigure}>
              {t('result.right')}
            </th>
            <th scope="col" className={figure}>
              {t('result.difference')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, changed, charged, right }) => (
            <tr key={key} className="border-t">
              <th scope="row" className="wrap-anywhere py-1.5 text-left font-normal">
                {name}
              </th>
              <td className={spareFigure}>{formatInteger(changed)}</td>
              <td className={figure}>
                <Money quota={charged} exact single />
              </td>
              <td className={spareFigure}>
                <Money quota={right} exact single />
              </td>
              <td className={figure}>
                <Money quota={right - charged} exact single />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
