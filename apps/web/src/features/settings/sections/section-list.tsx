import { type ReactNode, Suspense, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../components/ui/card.tsx'
import { Skeleton } from '../../../components/ui/states.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import { SettingField } from '../fields/setting-field.tsx'
import type { Section, VisibleGroup, VisibleKey } from '../model/catalogue.ts'
import { limitMaps } from '../model/limit-maps.ts'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'
import { ChatLinks } from './chat-links.tsx'
import { ClearLogs } from './clear-logs.tsx'
import { GroupTable } from './group-table.tsx'
import { PricingSection } from './pricing/pricing-section.tsx'

const LimitTable = lazyComponent(() => import('./limit-table.tsx'), 'LimitTable')
const SignInAddresses = lazyComponent(() => import('./sign-in-addresses.tsx'), 'SignInAddresses')
const TestMail = lazyComponent(() => import('./system-info.tsx'), 'TestMail')
const ExportEverything = lazyComponent(() => import('./export-everything.tsx'), 'ExportEverything')
const SystemInfo = lazyComponent(() => import('./system-info.tsx'), 'SystemInfo')

/** Sections with a form of their own. */
const customSections: Partial<Record<VisibleGroup, () => ReactNode>> = {
  pricing: () => <PricingSection />,
  groups: () => <GroupTable />,
  chat: () => <ChatLinks />,
}

/** Content of a card above its settings. */
const introductions: Partial<Record<VisibleGroup, () => ReactNode>> = {
  payment: () => <PaymentAddress />,
  oidc: () => <SignInAddresses provider="oidc" />,
  github: () => <SignInAddresses provider="github" />,
  linuxdo: () => <SignInAddresses provider="linuxdo" />,
  wechat: () => <SignInAddresses provider="wechat" />,
  telegram: () => <SignInAddresses provider="telegram" />,
}

/** Content of a card below its settings. */
const additions: Partial<Record<VisibleGroup, () => ReactNode>> = {
  log: () => <ClearLogs />,
  smtp: () => <TestMail />,
}

/** The cards of a tab, with links to each of them where there is room. */
export function SectionList({ sections }: { readonly sections: readonly Section[] }) {
  const { t } = useTranslation('settings')
  const list = useRef<HTMLDivElement>(null)
  return (
    <div className="flex items-start gap-8">
      <div ref={list} className="flex min-w-0 max-w-[760px] flex-1 flex-col gap-4">
        {sections.some(({ group }) => group === 'site') && (
          <Suspense fallback={<Skeleton className="h-40" />}>
            <SystemInfo />
            <ExportEverything />
          </Suspense>
        )}
        {sections.map(({ group, keys }) => (
          <div key={group} data-section={group} className="scroll-mt-4">
            <Card title={t(`group.${group}`)}>
              <div className="flex flex-col gap-5">
                <Suspense fallback={<Skeleton className="h-24" />}>{introductions[group]?.()}</Suspense>
                {customSections[group]?.() ?? keys.map((key) => <AnyField key={key} setting={key} />)}
                <Suspense fallback={<Skeleton className="h-16" />}>{additions[group]?.()}</Suspense>
              </div>
            </Card>
          </div>
        ))}
      </div>
      {sections.length > 2 && (
        <nav aria-label={t('sections')} className="sticky top-4 flex w-48 flex-col max-xl:hidden">
          {sections.map(({ group }) => (
            <button
              key={group}
              type="button"
              className="rounded px-2 py-1 text-left text-muted text-sm hover:bg-hover hover:text-text"
              onClick={() =>
                list.current?.querySelector(`[data-section="${group}"]`)?.scrollIntoView({ block: 'start' })
              }
            >
              {t(`group.${group}`)}
            </button>
          ))}
        </nav>
      )}
    </div>
  )
}

/** One setting: its map in rows, or the control of its kind. */
function AnyField({ setting }: { readonly setting: VisibleKey }) {
  const map = limitMaps[setting]
  if (map === undefined) return <SettingField setting={setting} />
  return (
    <Suspense fallback={<Skeleton className="h-24" />}>
      <LimitTable setting={setting} map={map} />
    </Suspense>
  )
}

/** Warns while the server address is missing, which payments need. */
function PaymentAddress() {
  const { t } = useTranslation('settings')
  const { form } = useSettings()
  const address = useWatch({ control: form.control, name: fieldName('ServerAddress') }) ?? ''
  return address.trim() === '' ? <Notice tone="warn">{t('payment.addressHint')}</Notice> : null
}
