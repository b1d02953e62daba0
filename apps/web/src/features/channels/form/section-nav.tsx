import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../../components/ui/select.tsx'
import type { ChannelForm } from './channel-form.ts'
import { revealField, revealSection } from './reveal.ts'
import { otherKind, typeIds, typeOf } from './type-facts.ts'

export const sections = ['basics', 'models', 'routing', 'advanced'] as const
export type SectionId = (typeof sections)[number]

const fields: Readonly<Record<SectionId, readonly (keyof ChannelForm)[]>> = {
  basics: ['type', 'name', 'keys', 'baseUrl', 'other'],
  models: ['models', 'modelMapping'],
  routing: ['groups', 'priority', 'weight', 'tag'],
  advanced: ['autoBan', 'testModel', 'organization', 'paramOverride', 'statusCodeMapping', 'setting'],
}

export interface SectionNavProps {
  /** The element that holds the sections. */
  readonly body: RefObject<HTMLElement | null>
  readonly form: ChannelForm
}

/** Ways into a long form: its sections, and a search over its fields, folded ones included. */
export function SectionNav({ body, form }: SectionNavProps) {
  const { t } = useTranslation('channels')
  const isShown = (field: keyof ChannelForm) =>
    field === 'organization'
      ? form.type === typeIds.openAi
      : field !== 'other' || otherKind(typeOf(form.type)) !== undefined
  return (
    <nav
      aria-label={t('form.sections')}
      className="flex items-center gap-1 px-4 py-1.5"
    >
      {sections.map((section) => (
        <button
          key={section}
          type="button"
          className="h-control-sm whitespace-nowrap rounded px-2 text-muted text-xs hover:bg-hover hover:text-text max-sm:px-1.5"
          onClick={() => revealSection(body.current, section)}
        >
          {t(`section.${section}`)}
        </button>
      ))}
      <span className="ml-auto w-44 max-sm:hidden">
        <Select
          value={undefined}
          placeholder={t('form.find')}
          aria-label={t('form.find')}
          searchable
          className="h-control-sm! text-xs!"
          options={sections.flatMap((section) =>
            fields[section]
              .filter(isShown)
              .map((field) => ({ value: field, label: t(`field.${field}`), hint: t(`section.${section}`) })),
          )}
          // The list gives the focus back to its button when it closes: what is found takes it after that.
          onValueChange={(field) =>
            setTimeout(() => revealField(body.current, `[data-field="${field}"]`), 60)
          }
        />
      </span>
    </nav>
  )
}
