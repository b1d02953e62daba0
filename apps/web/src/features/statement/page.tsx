import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Download, Printer } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { dateNow } from '../../lib/server-clock.ts'
import { exportStatement, statementQuery } from './api.ts'
import { lastMonths, monthName } from './months.ts'
import { StatementSheet } from './statement-sheet.tsx'

const route = getRouteApi('/console/statement')

/** Months that are offered; any other is in the address. */
const offeredMonths = 24

/** The books of a month, on screen, on paper and as a file. */
export function StatementPage(): ReactNode {
  const { t } = useTranslation('statement')
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/statement' })
  const months = lastMonths(dateNow(), offeredMonths)
  const month = search.month ?? months[0] ?? ''
  const query = useQuery(statementQuery({ ...search, month }))
  const download = useMutation({
    mutationFn: () => exportStatement({ ...search, month }),
    meta: { successMessage: t('exported') },
  })
  return (
    <Page>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <MonthSelect
              months={months.includes(month) ? months : [month, ...months]}
              month={month}
              onChange={(next) => void navigate({ search: { ...search, month: next } })}
            />
            <Button icon={Download} loading={download.isPending} onClick={() => download.mutate()}>
              {t('export')}
            </Button>
            <Button icon={Printer} disabled={!query.data} onClick={() => window.print()}>
              {t('print')}
            </Button>
          </>
        }
      />
      <QueryBoundary query={query}>{(statement) => <StatementSheet statement={statement} />}</QueryBoundary>
    </Page>
  )
}

interface MonthSelectProps {
  readonly months: readonly string[]
  readonly month: string
  readonly onChange: (month: string) => void
}

function MonthSelect({ months, month, onChange }: MonthSelectProps) {
  const { t, i18n } = useTranslation('statement')
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {t('month')}
      </label>
      <select
        id={id}
        value={month}
        className="field h-control px-2.5 text-sm"
        onChange={(event) => onChange(event.target.value)}
      >
        {months.map((each) => (
          <option key={each} value={each}>
            {monthName(each, i18n.language)}
          </option>
        ))}
      </select>
    </>
  )
}
