//! Calendars over real files, real servers and real HTTP.
