import { z } from 'zod'
import {
  editBase,
  idParams,
  oneBasedPage,
  pageOf,
  pageSize,
  queryChoice,
  readerClock,
  unixSeconds,
} from '../wire.ts'
import { get, post, put } from './define.ts'

/** States of a published incident, in the order in which one passes them. */
export const publicIncidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const
/** State of a published incident; `resolved` ends it. */
export type PublicIncidentState = (typeof publicIncidentStates)[number]

/** States of a model, by what its calls meet now; `unknown`: there were too few to say. */
export const modelStates = ['operational', 'degraded', 'outage', 'unknown'] as const
/** State of a model. */
export type ModelState = (typeof modelStates)[number]

/** Days of the status page, today included. */
export const statusPageDays = 30
/** Lengths of what an operator writes, and how much of it one incident holds. */
export const publicIncidentLimits = { title: 200, text: 4000, models: 100, updates: 50 } as const

const updateState = z.enum(publicIncidentStates)
const updateText = z.string().trim().min(1).max(publicIncidentLimits.text)

/** An update: a plain text with its line breaks. */
const incidentUpdate = z.object({ at: unixSeconds, state: updateState, text: z.string() })
/** An update of a published incident on the wire. */
export type PublicIncidentUpdate = z.output<typeof incidentUpdate>

/** An incident as everybody reads it. */
export const publicIncident = z.object({
  id: z.number().int(),
  title: z.string(),
  /** State of the last update. */
  state: updateState,
  /** Affected models, as the operator named them. */
  models: z.array(z.string()),
  started_at: unixSeconds,
  /** 0 while it lasts. */
  ended_at: unixSeconds,
  /** Updates in the order of time, at least one. */
  updates: z.array(incidentUpdate),
})
/** An incident as everybody reads it. */
export type PublicIncident = z.output<typeof publicIncident>

/** The same with what only administrators see. */
export const managedIncident = publicIncident.extend({
  /** Set while it stands on the status page. */
  published: z.boolean(),
  /** Id of the cause that it was made of; 0: written by hand. */
  incident_id: z.number().int(),
})
/** A published incident as administrators see it. */
export type ManagedIncident = z.output<typeof managedIncident>

/** State and past days of one model. No figure tells how many calls there were. */
export const modelStatus = z.object({
  model_name: z.string(),
  /** Provider of the model, empty where it is unknown. */
  owner_by: z.string(),
  state: z.enum(modelStates),
  /** The share of calls that succeeded by day, 0 to 1, to a tenth of a percent; `null` for a day with too few calls. */
  days: z.array(z.number().nullable()),
})
/** State and past days of one model. */
export type ModelStatus = z.output<typeof modelStatus>

const title = z.string().trim().min(1).max(publicIncidentLimits.title)
const models = z.array(z.string().trim().min(1).max(200)).max(publicIncidentLimits.models)
/** 0: now. */
const moment = unixSeconds.min(0).default(0)

/** The parts that tend incidents: those who mend channels, and those who write the texts of the site. */
const tends = { part: ['channels', 'settings'], recentProof: 'operates' } as const

export const statusPage = {
  /**
   * The status page: the models that the caller can see on the pricing page, with those whose channels are all out of service;
   * their state, the last days by the caller's clock, and the incidents that the operator published. Not found unless the
   * operator shows it (`StatusPageEnabled`).
   */
  read: get('public', '/api/status_page', {
    recentProof: 'reads',
    query: z.object(readerClock),
    data: z.object({
      /** The first second of each day, oldest first; the last is today. */
      days: z.array(unixSeconds),
      models: z.array(modelStatus),
      /** Those that last first, then those that ended in these days, the newest first. */
      incidents: z.array(publicIncident),
    }),
  }),
  /**
   * Writes the published incidents as an Atom feed, as a visitor sees them, whoever asks: feed readers have no session. Not found unless
   * the operator shows the page.
   */
  feed: get('public', '/api/status_page/feed', {
    recentProof: 'reads',
    /** Defaults to the language that the program prefers. */
    query: z.object({ language: queryChoice(['en', 'zh']) }),
    response: 'text',
  }),
  /** Lists what was published, also what was taken off the page since: those that last first, then the newest. */
  list: get('admin', '/api/status_page/incident', {
    part: ['channels', 'settings'],
    recentProof: 'reads',
    query: z.object({ state: queryChoice(['open', 'ended']), p: oneBasedPage, page_size: pageSize }),
    data: pageOf(managedIncident),
  }),
  /** Proposes models and times for the publication of an incident; names no channel and nobody. */
  draft: get('admin', '/api/status_page/draft/:id', {
    part: ['channels', 'settings'],
    recentProof: 'reads',
    params: idParams,
    data: z.object({ models: z.array(z.string()), started_at: unixSeconds, ended_at: unixSeconds }),
  }),
  /** Publishes an incident with its first update. One cause is published once. */
  create: post('admin', '/api/status_page/incident', {
    ...tends,
    body: z.object({
      title,
      models: models.default([]),
      started_at: moment,
      /** Counts where the state is `resolved`; 0: now. */
      ended_at: moment,
      state: updateState.default('investigating'),
      text: updateText,
      /** The cause that it is about; 0: none. */
      incident_id: z.number().int().min(0).default(0),
    }),
    data: managedIncident,
  }),
  /** Changes what was written; fields that are absent stay. Texts are those of all updates, in their order. */
  update: put('admin', '/api/status_page/incident/:id', {
    ...tends,
    params: idParams,
    body: z.object({
      title: title.optional(),
      models: models.optional(),
      started_at: unixSeconds.min(1).optional(),
      /** Has no effect while the incident lasts. */
      ended_at: unixSeconds.min(1).optional(),
      texts: z.array(updateText).max(publicIncidentLimits.updates).optional(),
      base: editBase,
    }),
    data: managedIncident,
  }),
  /** Adds an update. `resolved` ends the incident; any other state opens it again. */
  addUpdate: post('admin', '/api/status_page/incident/:id/update', {
    ...tends,
    params: idParams,
    body: z.object({ state: updateState, text: updateText }),
    data: managedIncident,
  }),
  /** Takes an incident off the page. It stays in the list of administrators. */
  unpublish: post('admin', '/api/status_page/incident/:id/unpublish', {
    ...tends,
    params: idParams,
    data: managedIncident,
  }),
  /** Puts an incident on the page again. */
  publish: post('admin', '/api/status_page/incident/:id/publish', {
    ...tends,
    params: idParams,
    data: managedIncident,
  }),
}
