import type { JournalFindingRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { ProblemRow } from './problem-row.tsx'

/** Shows the lost, damaged or misplaced parts of the journals of settled calls. */
export function JournalRows({ findings }: { readonly findings: readonly JournalFindingRow[] }) {
  const { t } = useTranslation('dashboard')
  return findings.map((finding) => (
    <ProblemRow
      key={finding.id}
      tone={finding.kind === 'torn' || finding.at_most === 0 ? 'warn' : 'bad'}
      title={finding.at_most === 0 ? t('journal.aside') : t('journal.lost', { calls: callsOf(finding) })}
    >
      {t(`journal.${finding.kind}`)} <RelativeTime at={finding.found_at} />{' '}
      {finding.files !== '' && <code className="wrap-anywhere">{finding.files}</code>}
    </ProblemRow>
  ))
}

function callsOf({ at_least: min, at_most: max }: JournalFindingRow): string {
  return min === max ? formatInteger(min) : `${formatInteger(min)}–${formatInteger(max)}`
}
