"""Addresses of this app's pages."""

from django.urls import URLPattern, path

from pairing.views import desk, draw, draw_board, formats, public, rules, screen, stages

urlpatterns: list[URLPattern] = [
    path("e/<slug:slug>/", public.event, name="event"),
    path("e/<slug:slug>/find/", public.find_team, name="find_team"),
    path("e/<slug:slug>/rules/", public.rules, name="rules"),
    path("e/<slug:slug>/screen/", screen.screen, name="screen"),
    path("e/<slug:slug>/screen/now/", screen.screen_data, name="screen_data"),
    path("e/<slug:slug>/desk/rules/", rules.rules_edit, name="rules_edit"),
    path("e/<slug:slug>/desk/rules/discipline/", rules.discipline_edit, name="discipline_edit"),
    path("e/<slug:slug>/desk/rules/keep/", rules.preset_keep, name="preset_keep"),
    path("e/<slug:slug>/draw/", draw.draw_latest, name="draw_latest"),
    path("e/<slug:slug>/s<int:stage>/r<int:round>/draw/", draw.draw, name="draw"),
    path("e/<slug:slug>/s<int:stage>/bracket/", formats.bracket, name="bracket"),
    path("e/<slug:slug>/s<int:stage>/cross-table/", formats.cross_table, name="cross_table"),
    path("e/<slug:slug>/desk/", desk.desk, name="desk"),
    path("e/<slug:slug>/desk/screen/", desk.screen_switch, name="screen_switch"),
    path("e/<slug:slug>/desk/draw/", draw_board.draw_board, name="draw_board"),
    path("e/<slug:slug>/desk/draw/make/", draw_board.draw_make, name="draw_make"),
    path("e/<slug:slug>/desk/draw/again/", draw_board.draw_again, name="draw_again"),
    path("e/<slug:slug>/desk/draw/swap/", draw_board.draw_swap, name="draw_swap"),
    path("e/<slug:slug>/desk/draw/meeting/", draw_board.draw_meeting, name="draw_meeting"),
    path("e/<slug:slug>/desk/draw/discard/", draw_board.draw_discard, name="draw_discard"),
    path("e/<slug:slug>/desk/draw/publish/", draw_board.draw_publish, name="draw_publish"),
    path("e/<slug:slug>/desk/draw/withdraw/", draw_board.draw_withdraw, name="draw_withdraw"),
    path("e/<slug:slug>/desk/stages/", stages.stages, name="stages"),
    path("e/<slug:slug>/desk/stages/add/", stages.stage_add, name="stage_add"),
    path("e/<slug:slug>/desk/stages/<int:stage>/change/", stages.stage_change, name="stage_change"),
    path("e/<slug:slug>/desk/stages/<int:stage>/move/", stages.stage_move, name="stage_move"),
    path("e/<slug:slug>/desk/stages/<int:stage>/remove/", stages.stage_remove, name="stage_remove"),
    path("e/<slug:slug>/desk/stages/<int:stage>/begin/", stages.stage_begin, name="stage_begin"),
    path("e/<slug:slug>/desk/stages/<int:stage>/lots/", stages.stage_lots, name="stage_lots"),
    path("e/<slug:slug>/desk/stages/<int:stage>/order/", stages.stage_order, name="stage_order"),
    path("e/<slug:slug>/desk/stages/<int:stage>/replace/", stages.stage_replace, name="stage_replace"),
    path("e/<slug:slug>/desk/stages/<int:stage>/publish/", stages.schedule_publish, name="schedule_publish"),
    path(
        "e/<slug:slug>/desk/s<int:stage>/r<int:round>/void/<int:table>/",
        stages.matches_void,
        name="matches_void",
    ),
    path("e/<slug:slug>/desk/round/close/", desk.round_close, name="round_close"),
    path("e/<slug:slug>/desk/round/reopen/", draw_board.round_reopen, name="round_reopen"),
]
