import type { UpgradeRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { ProblemRow } from './channel-rows.tsx'

/** What a new version did to the database at its first start: there is no way back but the copy and a backup. */
export function UpgradeRows({ upgrades }: { readonly upgrades: readonly UpgradeRow[] }) {
  const { t } = useTranslation('dashboard')
  return upgrades.map(({ id, at, from, migrations, copy }) => (
    <ProblemRow key={id} tone="warn" title={t('upgrade.title')}>
      {t('upgrade.from', { from: nameOf(from) })} <RelativeTime at={at} />{' '}
      {t('upgrade.migrations', { count: migrations.length, last: migrations.at(-1) })}{' '}
      {copy === '' ? (
        t('upgrade.noCopy')
      ) : (
        <>
          {t('upgrade.copy')} <code className="break-all">{copy}</code>
        </>
      )}
    </ProblemRow>
  ))
}

function nameOf({ version, commit, schema }: UpgradeRow['from']): string {
  return [version, commit, schema].filter((part) => part !== '').join(', ')
}
