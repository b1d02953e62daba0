import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { walletRefusedFields } from '@tollgate/api/refused-fields'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsByCode, TextField, useSaveForm } from '../../components/form/index.ts'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { Card, Stat } from '../../components/ui/card.tsx'
import { Form } from '../../components/ui/field/field.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { accountQuery } from '../../lib/api/account.ts'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatInteger, quotaToCurrency } from '../../lib/format/format.ts'
import { redeemCode, topUpInfoQuery } from './api.ts'
import { Orders } from './orders.tsx'
import { TopUpCard } from './top-up-card.tsx'

/** The own balance and the ways to more of it. */
export function WalletPage(): ReactNode {
  const { t } = useTranslation('wallet')
  return (
    <Page>
      <PageHeader title={t('title')} />
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <BalanceCard />
          <RedeemCard />
        </div>
        <TopUpCard />
      </div>
      <Orders />
    </Page>
  )
}

/** The balance, and what was spent. */
function BalanceCard() {
  const { t } = useTranslation('wallet')
  return (
    <Card
      title={t('balance.title')}
      action={
        <Link to="/statement" className={buttonClass('secondary', 'sm')}>
          {t('balance.statement')}
        </Link>
      }
    >
      <QueryBoundary query={useQuery(accountQuery)}>
        {({ quota, used_quota, request_count }) => (
          <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-2">
            <Stat label={t('balance.available')}>
              <Money quota={quota} />
            </Stat>
            <Stat label={t('balance.used')}>
              <Money quota={used_quota} />
            </Stat>
            <Stat label={t('balance.calls')}>{formatInteger(request_count)}</Stat>
          </div>
        )}
      </QueryBoundary>
    </Card>
  )
}

interface RedeemForm {
  readonly key: string
}

const blankForm: RedeemForm = { key: '' }

/** Turns a code into balance; says what it brought. */
function RedeemCard() {
  const { t } = useTranslation('wallet')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const link = useTopUpLink()
  const [gained, setGained] = useState<number>()
  const { form, submit, saving, failure } = useSaveForm<RedeemForm, number>({
    start: blankForm,
    check: ({ key }) => ({ key: key.trim() === '' ? t('redeem.required') : undefined }),
    save: ({ key }) => {
      setGained(undefined)
      return redeemCode(key.trim())
    },
    fieldOf: fieldsByCode(walletRefusedFields, { key: 'key' }),
    onSaved: (quota) => {
      form.reset(blankForm)
      setGained(quota)
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })
  return (
    <Card
      title={t('redeem.title')}
      description={link === '' && t('redeem.noLink')}
      action={link && <GetCodeLink link={link} />}
    >
      <Form className="flex flex-col gap-3" onSubmit={submit}>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <div role="status" className="contents">
          {gained !== undefined && (
            <Notice tone="good">{t('redeem.done', { amount: quotaToCurrency(gained, display) })}</Notice>
          )}
        </div>
        <TextField<RedeemForm> form={form} name="key" label={t('redeem.code')} input={{ mono: true }} />
        <Button type="submit" className="self-start" loading={saving}>
          {t(saving ? 'redeem.running' : 'redeem.submit')}
        </Button>
      </Form>
    </Card>
  )
}

/** The address of the operator's shop; empty where there is none, `undefined` until it is known. */
function useTopUpLink(): string | undefined {
  const { data } = useQuery(topUpInfoQuery)
  const link = data?.top_up_link.trim()
  return link === undefined || /^https?:\/\//i.test(link) ? link : ''
}

function GetCodeLink({ link }: { readonly link: string }) {
  const { t } = useTranslation('wallet')
  return (
    <a href={link} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'sm')}>
      {t('redeem.getCode')}
      <ExternalLink className="size-3.5" aria-hidden />
    </a>
  )
}
