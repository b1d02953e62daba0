import type { UpgradeRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FirstOf } from '../../components/ui/first-of.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { localList } from '../../i18n/local-list.ts'
import { ProblemRow } from './problem-row.tsx'

/** Shows the effects of a new version on the database at its first start: the copy and a backup are the only ways back. */
export function UpgradeRows({ upgrades }: { readonly upgrades: readonly UpgradeRow[] }) {
  const { t } = useTranslation('dashboard')
  return upgrades.map(({ id, at, from, migrations, copy, prices }) => (
    <ProblemRow key={id} tone="warn" title={t('upgrade.title')}>
      {t('upgrade.from', { from: nameOf(from) })} (<RelativeTime at={at} />){' '}
      {t('upgrade.migrations', { count: migrations.length, last: migrations.at(-1) })}{' '}
      {copy === '' ? (
        t('upgrade.noCopy')
      ) : (
        <>
          {t('upgrade.copy')} <code className="wrap-anywhere">{copy}</code>
        </>
      )}
      {prices.length > 0 && <ChangedPrices prices={prices} />}
    </ProblemRow>
  ))
}

const visiblePrices = 10

/** Output prices that the version before took from the model's family, whatever was stored. */
function ChangedPrices({ prices }: Pick<UpgradeRow, 'prices'>) {
  const { t } = useTranslation('dashboard')
  return (
    <details className="mt-1">
      <summary className="cursor-pointer">{t('upgrade.prices', { count: prices.length })}</summary>
      <ul className="mt-1 list-disc ps-5">
        <FirstOf as="li" items={prices} max={visiblePrices}>
          {({ model, charged, stored }) => (
            <li key={model}>
              <code className="wrap-anywhere">{model}</code> {t('upgrade.price', { charged, stored })}
            </li>
          )}
        </FirstOf>
      </ul>
    </details>
  )
}

function nameOf({ version, commit, schema }: UpgradeRow['from']): string {
  return localList([version, commit, schema].filter((part) => part !== ''))
}
