// The address without a page leads to the overview.
import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function RedirectToOverview(): ReactNode {
  return <Navigate to="/supply" replace />;
}
