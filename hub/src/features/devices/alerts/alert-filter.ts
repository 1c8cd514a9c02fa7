// Translates the query of a request into the filter of the alert store.
import type { FastifyRequest } from 'fastify';
import { personOf } from '../../../platform/auth/person.ts';

/** "Mine" is the address of who asks. */
export function filterBy<F extends { assigned?: 'me' | 'nobody' }>(
  request: FastifyRequest,
  { assigned, ...filter }: F,
) {
  if (assigned === undefined) return filter;
  return { ...filter, assignedTo: assigned === 'me' ? personOf(request).email : null };
}

/** The schema counts 31 days in each month. */
export const isDay = (day: string): boolean => new Date(day).toISOString().startsWith(day);
