import {
  type Language,
  type LocalizedTexts,
  listText,
  type PublicIncident,
  type PublicIncidentState,
} from '@tollgate/api'
import type { Seconds } from '../../store/units.ts'

/** Facts of a feed beside its incidents. */
export interface FeedFacts {
  /** Address of the site, without a trailing slash. */
  readonly site: string
  /** Path of the feed itself, with its query. */
  readonly path: string
  readonly systemName: string
  readonly language: Language
}

const title: LocalizedTexts[string] = { en: 'incidents', zh: '故障' }
const affected: LocalizedTexts[string] = { en: 'Affected models', zh: '受影响的模型' }
const phases = {
  investigating: { en: 'Investigating', zh: '调查中' },
  identified: { en: 'Identified', zh: '已定位' },
  monitoring: { en: 'Monitoring', zh: '观察中' },
  resolved: { en: 'Resolved', zh: '已解决' },
} satisfies Record<PublicIncidentState, LocalizedTexts[string]>

/** Writes incidents as an Atom feed (RFC 4287): an entry each, which is new again with every update. */
export function incidentFeed(incidents: readonly PublicIncident[], facts: FeedFacts): string {
  const { site, path, systemName, language } = facts
  const page = `${site}/status`
  const changed = Math.max(0, ...incidents.map(lastUpdate))
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    element('title', `${systemName} · ${title[language]}`),
    element('id', page),
    `<link rel="self" type="application/atom+xml" href="${xmlText(site + path)}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(page)}"/>`,
    element('updated', timeOf(changed)),
    `<author>${element('name', systemName)}</author>`,
    ...incidents.map((incident) => entryOf(incident, page, language)),
    '</feed>',
  ].join('\n')
}

function entryOf(incident: PublicIncident, page: string, language: Language): string {
  const address = `${page}#incident-${incident.id}`
  return [
    '<entry>',
    element('title', `${incident.title} · ${phases[incident.state][language]}`),
    element('id', address),
    `<link rel="alternate" type="text/html" href="${xmlText(address)}"/>`,
    element('published', timeOf(incident.started_at)),
    element('updated', timeOf(lastUpdate(incident))),
    ...incident.models.map((model) => `<category term="${xmlText(model)}"/>`),
    `<content type="html">${xmlText(htmlOf(incident, language))}</content>`,
    '</entry>',
  ].join('\n')
}

/** The updates of an incident, the newest first, and its models. */
function htmlOf({ updates, models }: PublicIncident, language: Language): string {
  const paragraphs = updates.toReversed().map(({ at, state, text }) => {
    const lines = text.split('\n').map(xmlText).join('<br/>')
    const time = `${timeOf(at).slice(0, 16).replace('T', ' ')} UTC`
    return `<p><strong>${phases[state][language]}</strong> · ${time}<br/>${lines}</p>`
  })
  const concerned =
    models.length === 0 ? [] : [`<p>${affected[language]}: ${xmlText(listText(models, language))}</p>`]
  return [...paragraphs, ...concerned].join('')
}

function lastUpdate({ updates, started_at }: PublicIncident): Seconds {
  return updates.at(-1)?.at ?? started_at
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`
}

function timeOf(at: Seconds): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19)}Z`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
/** Characters that XML 1.0 cannot have: one of them, and readers refuse the whole feed. */
const notInXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

function xmlText(text: string): string {
  return text.replace(notInXml, '').replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
