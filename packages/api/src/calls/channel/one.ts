import { z } from 'zod'
import { defineCall } from '../../call.ts'
import { emptyData, idParams, listTotal, optionalPageSize, pageSize, zeroBasedPage } from '../../wire.ts'
import { channelCreateBody, channelKeyBody, channelUpdateBody } from './fields.ts'
import { listQuery } from './list-query.ts'
import { channel } from './record.ts'

/** The list, and what is done with one channel. */
export const channelCalls = {
  list: defineCall({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    query: z.object({ p: zeroBasedPage, page_size: pageSize, ...listQuery }),
    data: z.array(channel),
    extra: listTotal,
  }),
  search: defineCall({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    /** Every match, unless `page_size` asks for pages. */
    query: z.object({ p: zeroBasedPage, page_size: optionalPageSize, ...listQuery }),
    data: z.array(channel),
    extra: listTotal,
  }),
  /** The tags in use, in the order of their names, and how many channels have each. */
  tags: defineCall({
    method: 'GET',
    path: '/api/channel/tags',
    access: 'admin',
    data: z.array(z.object({ tag: z.string(), count: z.number().int() })),
  }),
  get: defineCall({
    method: 'GET',
    path: '/api/channel/:id',
    access: 'admin',
    params: idParams,
    data: channel,
  }),
  create: defineCall({
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    body: channelCreateBody,
    /** The first, when it became several. */
    data: channel,
    extra: z.object({ ids: z.array(z.number().int()) }),
  }),
  /** A second channel with the same keys and settings. */
  copy: defineCall({
    method: 'POST',
    path: '/api/channel/copy/:id',
    access: 'admin',
    params: idParams,
    data: channel,
  }),
  /** The one call that answers keys, in their order. */
  revealKeys: defineCall({
    method: 'POST',
    path: '/api/channel/:id/key',
    access: 'root',
    sessionOnly: true,
    params: idParams,
    data: z.object({ keys: z.array(z.string()) }),
  }),
  changeKey: defineCall({
    method: 'PUT',
    path: '/api/channel/:id/key',
    access: 'admin',
    params: idParams,
    body: channelKeyBody,
    data: channel,
  }),
  update: defineCall({
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    body: channelUpdateBody,
    data: channel,
  }),
  delete: defineCall({
    method: 'DELETE',
    path: '/api/channel/:id',
    access: 'admin',
    params: idParams,
    data: emptyData,
  }),
}
