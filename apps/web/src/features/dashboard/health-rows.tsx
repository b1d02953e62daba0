import type { HealthProblemRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { formatInteger } from '../../lib/format/format.ts'
import { ProblemRow } from './problem-row.tsx'

/** Shows the current problems of the database, or of the journal in front of it, with the step to take. */
export function HealthRows({ problems }: { readonly problems: readonly HealthProblemRow[] }) {
  const { t } = useTranslation('dashboard')
  return problems.map((problem) => {
    const { code, database, waiting } = problem
    const command = commandFor(problem)
    return (
      <ProblemRow
        key={code}
        tone={code === 'journal-grows' ? 'warn' : 'bad'}
        title={t(`health.${code}`, { calls: formatInteger(waiting) })}
      >
        {code === 'database-damaged' ? t(`health.repair.${database}`) : t(`health.${code}-hint`)}{' '}
        {command !== undefined && <code className="select-all">{command}</code>}
      </ProblemRow>
    )
  })
}

function commandFor({ code, database }: HealthProblemRow): string | undefined {
  if (code === 'journal-waits') return 'tollgate doctor'
  return code === 'database-damaged' && database === 'sqlite' ? 'tollgate repair' : undefined
}
